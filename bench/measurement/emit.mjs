import path from 'node:path';
import { startChange } from '../change.mjs';
import { closeAll } from '../clean-up.mjs';
import { floorCommand } from '../floor.mjs';
import { openHttp, startDaemon, startServer } from '../http-client.mjs';
import { makeProject } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { openStdio } from '../stdio-client.mjs';

/** Events and reads of a shipped process in a loop, against tools of the SDK. */
export const emit = {
  name: 'emit',
  async run({ product, quick }) {
    const rounds = quick ? 200 : 1500;
    return [...(await overStdio(product, rounds)), ...(await overHttp(product, rounds))];
  },
};

async function overStdio(product, rounds) {
  const project = makeProject(product);
  const ours = await openStdio(project.mcp, project);
  const floor = await openStdio(floorCommand('stdio', path.join(project.env.HOME, 'floor.db')), project);
  const rows = await compare('stdio', { project, ours, floor }, rounds);
  await closeAll([ours, floor]);
  return rows;
}

async function overHttp(product, rounds) {
  const project = makeProject(product);
  const servers = await Promise.all([
    startDaemon(project),
    startServer(floorCommand('http', path.join(project.env.HOME, 'floor.db')), project),
  ]);
  const [ours, floor] = await Promise.all(servers.map((one) => openHttp(one)));
  const rows = await compare('HTTP', { project, ours, floor }, rounds);
  await closeAll([ours, floor, ...servers]);
  return rows;
}

async function compare(way, { project, ours, floor }, rounds) {
  const change = await startChange(ours, project);
  const input = { note: 'there and back again', n: 1 };
  const withEvidence = [];
  const samples = await interleave(
    {
      echo: () => timed(() => floor.call('echo', input)),
      commitRow: () => timed(() => floor.call('commit_row', input)),
      getState: () => timed(() => ours.call('state_gate.get_state', { run_id: change.run })),
      async emit() {
        withEvidence.push(await change.submit());
        return change.rework();
      },
    },
    { rounds, warmUp: 100 },
  );
  const commitRow = { name: 'tool that commits one row', ...summarize(samples.commitRow) };
  const echo = { name: 'tool that echoes', ...summarize(samples.echo) };
  return [
    {
      what: `loop: emit_event over ${way}, payload only`,
      ...summarize(samples.emit),
      floor: commitRow,
      ...(way === 'stdio' && { bar: { ratio: 2.5 } }),
    },
    { what: `loop: emit_event over ${way}, artifact and work tree`, ...summarize(withEvidence), floor: commitRow },
    { what: `loop: get_state over ${way}`, ...summarize(samples.getState), floor: echo },
  ];
}
