import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeProject } from '../project.mjs';
import { summarize } from '../statistics.mjs';
import { closeAll, startWorkers } from '../worker-client.mjs';

export const wakeUp = {
  name: 'wake-up',
  async run({ product, quick, postgres }) {
    const rows = [];
    for (const database of ['SQLite', 'PostgreSQL']) {
      const url = database === 'SQLite' ? undefined : await postgres.freshDatabase();
      const project = makeProject(url);
      const [writer, follower] = await startWorkers(product, project, 2);
      const floor = url ?? path.join(project.root, 'floor.db');
      await writer.ask('open', { floor });
      await follower.ask('follow');
      await sleep(300);
      rows.push(
        await measure(database, writer, follower, quick ? { rounds: 80, ms: 3000 } : { rounds: 600, ms: 20_000 }),
      );
      await closeAll([writer, follower]);
    }
    return rows;
  },
};

async function measure(database, writer, follower, { rounds, ms }) {
  const woken = [];
  const sinceBegin = [];
  const pipes = [];
  let slow = 0;
  const end = performance.now() + ms;
  for (let round = 0; round < rounds && performance.now() < end; round += 1) {
    const subject = `wake-${round}`;
    const waiting = follower.ask('seen', { subject });
    const { begun, done } = await writer.ask('append', { subject });
    const at = await waiting;
    woken.push(Math.max(0, at - done));
    sinceBegin.push(at - begun);
    if (done - begun > 25) slow += 1;
    // Bare scheduling on this machine: a message over a pipe to a process that sleeps.
    const sent = Number(process.hrtime.bigint()) / 1e6;
    pipes.push((await follower.ask('clock')) - sent);
    // Within and beyond the time in which the follower looks often.
    await sleep([2, 8, 20, 40, 70][round % 5] + Math.random() * 10);
  }
  return {
    what: `commit → seen elsewhere, ${database}`,
    ...summarize(woken),
    floor: { name: 'message over a pipe', ...summarize(pipes) },
    bar: { p99: 10 },
    note: `${woken.length} commits, of which ${slow} took longer than 25 ms; from the begin of the commit: p50 ${summarize(sinceBegin).p50.toFixed(2)} ms, p99 ${summarize(sinceBegin).p99.toFixed(2)} ms`,
  };
}
