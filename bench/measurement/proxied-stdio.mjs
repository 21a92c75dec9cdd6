import path from 'node:path';
import { configure, makeProject } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { startStdio } from '../stdio-client.mjs';
import { closeAll } from '../worker-client.mjs';

/** The same call to the same upstream, directly and through `sekisho mcp`. */
export const proxiedStdio = {
  name: 'proxied-stdio',
  async run({ product, quick }) {
    const project = makeProject();
    const place = { cwd: project.root, env: project.env };
    const upstream = [product.floor, 'stdio', path.join(project.root, 'floor.db')];
    configure(project, product, JSON.stringify({ upstreams: { floor: { command: [process.execPath, ...upstream] } } }));
    const direct = startStdio(upstream, place);
    const proxied = startStdio([product.bin, 'mcp'], place);
    await direct.open();
    await proxied.open();
    const input = { note: 'there and back again', n: 1 };
    const samples = await interleave(
      {
        direct: () => timed(() => direct.call('trivial', input)),
        proxied: () => timed(() => proxied.call('trivial', input)),
      },
      { rounds: quick ? 1500 : 6000, warmUp: 1000 },
    );
    await closeAll([direct, proxied]);
    const floor = { name: 'direct call', ...summarize(samples.direct) };
    return [{ what: 'proxied call over stdio', ...summarize(samples.proxied), floor, bar: { ratio: 2.2 } }];
  },
};
