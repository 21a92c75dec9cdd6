import { setTimeout as sleep } from 'node:timers/promises';
import { closeAll } from '../clean-up.mjs';
import { startPendulum } from '../pendulum.mjs';
import { makeProject } from '../project.mjs';
import { summarize, timed } from '../statistics.mjs';
import { openStdio } from '../stdio-client.mjs';

/** From the answer to an event in one server until the client of another server is notified. */
export const wakeUp = {
  name: 'wake-up',
  async run({ product, quick, postgres }) {
    const rounds = quick ? 60 : 400;
    return [
      await measure(product, 'SQLite', undefined, rounds),
      await measure(product, 'PostgreSQL', await postgres.freshDatabase(), rounds),
    ];
  },
};

async function measure(product, database, db, rounds) {
  const project = makeProject(product, { configuration: { toolsets: ['gate'], db }, definitions: ['pendulum'] });
  const [writer, waiter] = await Promise.all([openStdio(project.mcp, project), openStdio(project.mcp, project)]);
  // The waiter begins to follow before it answers this.
  await waiter.request('resources/list');
  const pendulum = await startPendulum(writer);
  const woken = [];
  const pings = [];
  for (let round = 0; round < rounds; round += 1) {
    // Both within and beyond the time in which the notification before is still on its way.
    await sleep(50 + Math.random() * 150);
    let at;
    const notified = waiter.notified('notifications/resources/list_changed').then(() => (at = performance.now()));
    await pendulum.swing();
    const done = performance.now();
    await notified;
    woken.push(Math.max(0, at - done));
    pings.push(await timed(() => waiter.request('ping')));
  }
  await closeAll([writer, waiter]);
  return {
    what: `event → notification in another server, ${database}`,
    ...summarize(woken),
    floor: { name: 'ping', ...summarize(pings) },
    bar: { p99: 50 },
  };
}
