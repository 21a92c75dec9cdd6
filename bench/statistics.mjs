import { setTimeout as sleep } from 'node:timers/promises';

/** The quantiles of a list of durations in milliseconds. */
export function summarize(samples) {
  const sorted = Float64Array.from(samples).toSorted();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  return { n: sorted.length, p25: at(0.25), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) };
}

/**
 * Calls every subject in turn, in another order each round, so that a machine that slows down slows all of them.
 * `subjects` is { name: () => milliseconds }. The first `warmUp` rounds do not count.
 */
export async function interleave(subjects, { rounds, warmUp = 0 }) {
  const names = Object.keys(subjects);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (let index = 0; index < names.length; index += 1) {
      const name = names[(index + round + warmUp) % names.length];
      const taken = await subjects[name]();
      if (round >= 0) samples[name].push(taken);
    }
  }
  return samples;
}

/**
 * Calls every subject once a second, spread evenly, as clients do that think between their calls. The first two seconds
 * do not count: what happens only once is a matter of the cold start.
 */
export async function paced(subjects, seconds) {
  const names = Object.keys(subjects);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  const start = performance.now();
  for (let round = 0; round < seconds + 2; round += 1) {
    for (const [index, name] of names.entries()) {
      const due = start + 1000 * (round + index / names.length);
      await sleep(Math.max(0, due - performance.now()));
      const taken = await subjects[name]();
      if (round >= 2) samples[name].push(taken);
    }
  }
  return samples;
}

export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Above this ratio of p90 to p50 of a floor, the machine was busy with something else. */
const noisy = 1.5;

export function isNoisy(floor) {
  return floor !== undefined && floor.p90 / floor.p50 > noisy;
}
