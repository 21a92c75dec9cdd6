/** What a list of durations in milliseconds says. */
export function summarize(samples) {
  const sorted = Float64Array.from(samples).toSorted();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  return { n: sorted.length, p25: at(0.25), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) };
}

/**
 * Takes every sample of every subject in turn, in another order each round, so that a machine that slows down slows all
 * of them. `subjects` is { name: () => milliseconds }; the first `warmUp` rounds do not count. On a slow machine the deadline
 * takes rounds away, not time from the reader.
 */
export async function interleave(subjects, { rounds, warmUp = 0, deadlineMs }) {
  const names = Object.keys(subjects);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  const end = performance.now() + deadlineMs;
  for (let round = -warmUp; round < rounds; round += 1) {
    if (round > 10 && performance.now() > end) break;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[(index + round + warmUp) % names.length];
      const taken = await subjects[name]();
      if (round >= 0) samples[name].push(taken);
    }
  }
  return samples;
}

export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Above this p90 : p50 of a floor, the machine was busy with something else. */
const noisy = 1.5;

export function isNoisy(floor) {
  return floor !== undefined && floor.p90 / floor.p50 > noisy;
}
