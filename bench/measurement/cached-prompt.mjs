import { createServer } from 'node:http';
import path from 'node:path';
import { configure, makeProject } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { startStdio } from '../stdio-client.mjs';
import { closeAll } from '../worker-client.mjs';

/** A phase's prompt that nothing has to be fetched for, against a tool that reads the same text from a row. */
export const cachedPrompt = {
  name: 'cached-prompt',
  async run({ product, quick }) {
    const options = { rounds: quick ? 600 : 3000, warmUp: 300 };
    const source = await promptApi();
    try {
      return [
        await compare(product, 'of a file', undefined, options),
        await compare(product, 'of a prompt API', source.url, options),
      ];
    } finally {
      source.close();
    }
  },
};

async function compare(product, which, source, options) {
  const project = makeProject();
  if (source !== undefined) configure(project, product, `phases: { source: "${source}" }\n`);
  const place = { cwd: project.root, env: project.env };
  const ours = startStdio([product.bin, 'mcp'], place);
  const floor = startStdio([product.floor, 'stdio', path.join(project.root, 'floor.db')], place);
  await ours.open();
  await floor.open();
  const ask = () => ours.call('inject_phase_prompt', { phase: 'phase0' });
  const { prompt } = await ask();
  const { id } = await floor.call('commit_row', { prompt });
  const samples = await interleave(
    { readRow: () => timed(() => floor.call('read_row', { id })), inject: () => timed(ask) },
    options,
  );
  const { metadata } = await ask();
  if (metadata.cached !== true) throw new Error('the prompt was not cached');
  await closeAll([ours, floor]);
  return {
    what: `cached prompt ${which} over stdio`,
    ...summarize(samples.inject),
    floor: { name: 'tool reading one row', ...summarize(samples.readRow) },
    bar: { ratio: 2 },
  };
}

async function promptApi() {
  const content = '# Phase 0\n\nA prompt as long as a real one.\n'.repeat(60);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ phase: 'phase0', version: 1, content }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
