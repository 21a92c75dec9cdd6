import path from 'node:path';
import { makeProject } from '../project.mjs';
import { median, summarize } from '../statistics.mjs';
import { startWorker } from '../worker-client.mjs';

/** Short runs are repeated until their first and last tenth have enough samples. */
const sizes = [
  { events: 10, runs: 100 },
  { events: 100, runs: 20 },
  { events: 1000, runs: 2 },
  { events: 10_000, runs: 1 / 3, full: true },
  { events: 100_000, runs: 1 / 3, full: true },
];

/** In process: without the time of a transport, growth shows more, not less. */
export const growth = {
  name: 'growth',
  async run({ product, quick }) {
    const rows = [];
    for (const size of sizes.filter(({ full }) => !(quick && full))) {
      const project = makeProject();
      const worker = await startWorker(product, { cwd: project.root, env: project.env });
      await worker.ask('open', { floor: path.join(project.root, 'floor.db') });
      // Compiled code is faster than code that runs for the first time: that is not growth.
      await worker.ask('grow', { events: 1000, every: 1 });
      rows.push(await measure(worker, size, quick ? 1 : 3));
      await worker.close();
    }
    return rows;
  },
};

async function measure(worker, { events, runs }, times) {
  const tenth = { first: { emits: [], floors: [] }, last: { emits: [], floors: [] } };
  const all = [];
  const every = Math.max(1, Math.floor(events / 2000));
  for (let run = 0; run < runs * times; run += 1) {
    const { emits, floors } = await worker.ask('grow', { events, every });
    for (const [kind, samples] of Object.entries({ emits, floors })) {
      const part = Math.ceil(samples.length / 10);
      tenth.first[kind].push(...samples.subarray(0, part));
      tenth.last[kind].push(...samples.subarray(-part));
    }
    for (const floor of floors) all.push(floor);
  }
  const first = median(tenth.first.emits);
  const floorGrowth = median(tenth.last.floors) / median(tenth.first.floors);
  const last = summarize(tenth.last.emits);
  return {
    what: `emit_event, last tenth of ${events.toLocaleString('en')} events`,
    ...last,
    floor: { name: 'first tenth', ...summarize(tenth.first.emits) },
    // A machine that got slower meanwhile made the bare commit beside it slower too.
    ratio: last.p50 / first / floorGrowth,
    bar: { ratio: 1.2 },
    note: `raw ${(last.p50 / first).toFixed(2)} ×, the bare commit beside it ${floorGrowth.toFixed(2)} × (p50 ${median(all).toFixed(3)} ms)`,
  };
}
