import path from 'node:path';
import { startChange } from '../change.mjs';
import { closeAll } from '../clean-up.mjs';
import { floorCommand } from '../floor.mjs';
import { openHttp, startDaemon, startServer } from '../http-client.mjs';
import { makeProject } from '../project.mjs';
import { askHook, hookRequester } from '../ask-hook.mjs';
import { emptyNode } from '../run-to-end.mjs';
import { paced, summarize, timed } from '../statistics.mjs';
import { openStdio } from '../stdio-client.mjs';

const input = { note: 'there and back again', n: 1 };

/**
 * What a client waits for: each call once a second, in a project that `init` prepared, with a shipped process, hooks and
 * an upstream. The floors are called at the same pace. Bars apply to SQLite, which `init` chooses.
 */
export const pace = {
  name: 'pace',
  async run({ product, quick, postgres }) {
    const seconds = quick ? 20 : 60;
    return [
      ...(await measure(product, 'SQLite', () => undefined, seconds)),
      ...(await measure(product, 'PostgreSQL', () => postgres.freshDatabase(), seconds)),
    ];
  },
};

async function measure(product, database, freshDatabase, seconds) {
  const ways = {
    stdio: await overStdio(product, await freshDatabase()),
    HTTP: await overHttp(product, await freshDatabase()),
  };
  const subjects = { 'node -e 0': () => emptyNode(ways.stdio.project, { shell: true }) };
  for (const [way, { project, ours, floor, ask }] of Object.entries(ways)) {
    const change = await startChange(ours, project);
    Object.assign(subjects, {
      [`${way} echo`]: () => timed(() => floor.call('echo', input)),
      [`${way} commit_row`]: () => timed(() => floor.call('commit_row', input)),
      [`${way} get_state`]: () => timed(() => ours.call('state_gate.get_state', { run_id: change.run })),
      [`${way} submit`]: change.submit,
      // Between the two events the state denies edits.
      [`${way} hook`]: ask,
      [`${way} rework`]: change.rework,
      [`${way} proxied`]: () => timed(() => ours.call('echo', input)),
    });
  }
  const samples = await paced(subjects, seconds);
  await closeAll(Object.values(ways));
  return Object.keys(ways).flatMap((way) => rowsOf(way, database, samples));
}

function prepare(product, db) {
  const upstreams = { echo: { command: floorCommand('stdio') } };
  const project = makeProject(product, { configuration: { toolsets: ['gate', 'upstream'], upstreams, db } });
  return { project, location: db ?? path.join(project.env.HOME, 'floor.db') };
}

async function overStdio(product, db) {
  const { project, location } = prepare(product, db);
  const ours = await openStdio(project.mcp, project);
  const floor = await openStdio(floorCommand('stdio', location), project);
  return { project, ours, floor, ask: () => askHook(project), close: () => closeAll([ours, floor]) };
}

async function overHttp(product, db) {
  const { project, location } = prepare(product, db);
  const servers = await Promise.all([startDaemon(project), startServer(floorCommand('http', location), project)]);
  const [ours, floor] = await Promise.all(servers.map((one) => openHttp(one)));
  const hook = hookRequester(project, servers[0]);
  const close = () => closeAll([hook, ours, floor, ...servers]);
  return { project, ours, floor, ask: hook.ask, close };
}

function rowsOf(way, database, samples) {
  const of = (name) => summarize(samples[`${way} ${name}`]);
  const echo = { name: 'tool that echoes', ...of('echo') };
  const commitRow = { name: 'tool that commits one row', ...of('commit_row') };
  const isStdio = way === 'stdio';
  const hookRow = isStdio
    ? { what: 'command hook', floor: { name: 'node -e 0', ...summarize(samples['node -e 0']) }, bar: { ratio: 1.8 } }
    : { what: 'HTTP hook', bar: { p50: 10 } };
  return [
    { what: 'get_state', ...of('get_state'), floor: echo },
    { what: 'emit_event, payload only', ...of('rework'), floor: commitRow, ...(isStdio && { bar: { ratio: 2.5 } }) },
    { what: 'emit_event, artifact and work tree', ...of('submit'), floor: commitRow },
    {
      what: 'proxied call',
      ...of('proxied'),
      floor: { ...echo, name: 'direct call' },
      ...(isStdio && { bar: { ratio: 2.5 } }),
    },
    { ...hookRow, ...of('hook') },
  ].map(({ what, bar, ...row }) => ({
    what: `pace, ${database}, ${way}: ${what}`,
    ...row,
    ...(database === 'SQLite' && bar !== undefined && { bar }),
  }));
}
