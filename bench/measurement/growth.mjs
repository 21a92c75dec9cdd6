import path from 'node:path';
import { makeProject } from '../project.mjs';
import { interleave, summarize } from '../statistics.mjs';
import { closeAll, startWorker } from '../worker-client.mjs';

const sizes = [
  { events: 10 },
  { events: 100 },
  { events: 1000 },
  { events: 10_000, full: true },
  { events: 100_000, full: true },
];

/**
 * The last tenth of a long run against the first tenth of a young one, each in a database of its own, one event here and
 * one there: the beginning and the end of one long run lie minutes apart, in which the machine itself gets faster or
 * slower. In process: without the time of a transport, growth shows more, not less.
 */
export const growth = {
  name: 'growth',
  async run({ product, quick }) {
    const rows = [];
    for (const size of sizes.filter(({ full }) => !(quick && full))) rows.push(await measure(product, size, quick));
    return rows;
  },
};

async function measure(product, { events }, quick) {
  const workers = await Promise.all([start(product), start(product)]);
  const [old, young] = workers;
  const tenth = events / 10;
  const samples = { old: [], young: [] };
  const end = performance.now() + (quick ? 1500 : 5000);
  let reached = 0;
  // Short runs are repeated until there are enough samples.
  do {
    const long = await old.ask('grow', { events: events - tenth, ms: 240_000 });
    const short = await young.ask('grow', { events: 0, ms: 0 });
    reached = long.revision + tenth;
    const taken = await interleave(
      { old: () => emitOn(old, long), young: () => emitOn(young, short) },
      { rounds: Math.min(tenth, quick ? 300 : 2000), deadlineMs: 10_000 },
    );
    samples.old.push(...taken.old);
    samples.young.push(...taken.young);
  } while (events <= 1000 && performance.now() < end);
  await closeAll(workers);
  return {
    what: `emit_event, last tenth of ${reached.toLocaleString('en')} events`,
    ...summarize(samples.old),
    floor: { name: 'first tenth, beside it', ...summarize(samples.young) },
    bar: { ratio: 1.2 },
    ...(reached < events && { note: `time was up before ${events.toLocaleString('en')}` }),
  };
}

async function start(product) {
  const project = makeProject();
  const worker = await startWorker(product, { cwd: project.root, env: project.env });
  await worker.ask('open', { floor: path.join(project.root, 'floor.db') });
  // Compiled code is faster than code that runs for the first time: that is not growth.
  await worker.ask('grow', { events: 600, ms: 10_000 });
  return worker;
}

async function emitOn(worker, place) {
  const took = await worker.ask('emitOn', place);
  place.revision += 1;
  return took;
}
