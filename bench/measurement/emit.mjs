import path from 'node:path';
import { openHttp, startDaemon } from '../http-client.mjs';
import { makeProject, processId, swing } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { startStdio } from '../stdio-client.mjs';
import { closeAll } from '../worker-client.mjs';

export const emit = {
  name: 'emit',
  async run(bench) {
    return [...(await overStdio(bench)), ...(await overHttp(bench))];
  },
};

async function overStdio({ product, quick }) {
  const project = makeProject();
  const place = { cwd: project.root, env: project.env };
  const ours = startStdio([product.bin, 'mcp'], place);
  const floor = startStdio([product.floor, 'stdio', path.join(project.root, 'floor.db')], place);
  await ours.open();
  await floor.open();
  const rows = await compare(
    'stdio',
    ours,
    floor,
    quick ? { rounds: 400, warmUp: 250, deadlineMs: 5000 } : { rounds: 4000, warmUp: 500, deadlineMs: 30_000 },
  );
  await closeAll([ours, floor]);
  return rows;
}

async function overHttp({ product, quick }) {
  const project = makeProject();
  const place = { cwd: project.root, env: project.env };
  const daemons = await Promise.all([
    startDaemon([product.bin, 'up', '--port', '0', '--json'], place),
    startDaemon([product.floor, 'http', path.join(project.root, 'floor.db')], place),
  ]);
  const [ours, floor] = await Promise.all(daemons.map(openHttp));
  const rows = await compare(
    'HTTP',
    ours,
    floor,
    quick ? { rounds: 150, warmUp: 100, deadlineMs: 3500 } : { rounds: 2000, warmUp: 300, deadlineMs: 18_000 },
  );
  await closeAll([ours, floor, ...daemons]);
  return rows;
}

async function compare(way, ours, floor, options) {
  const { run_id: run } = await ours.call('state_gate.create_run', { process_id: processId });
  let revision = 0;
  const samples = await interleave(
    {
      trivial: () => timed(() => floor.call('trivial', swing(run, revision))),
      commitRow: () => timed(() => floor.call('commit_row', swing(run, revision))),
      getState: () => timed(() => ours.call('state_gate.get_state', { run_id: run })),
      async emit() {
        const took = await timed(() => ours.call('state_gate.emit_event', swing(run, revision)));
        revision += 1;
        return took;
      },
    },
    options,
  );
  const trivial = { name: 'trivial tool', ...summarize(samples.trivial) };
  const commitRow = { name: 'tool committing one row', ...summarize(samples.commitRow) };
  const state = await ours.call('state_gate.get_state', { run_id: run });
  if (state.revision !== revision) throw new Error(`the run is at ${state.revision}, not at ${revision}`);
  return [
    {
      what: `emit_event over ${way}`,
      ...summarize(samples.emit),
      floor: commitRow,
      ...(way === 'stdio' && { bar: { ratio: 2 } }),
    },
    { what: `get_state over ${way}`, ...summarize(samples.getState), floor: trivial },
    { what: `one-row tool over ${way}`, ...commitRow, floor: trivial },
  ];
}
