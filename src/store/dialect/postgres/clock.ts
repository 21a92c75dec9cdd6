import { performance } from 'node:perf_hooks';
import type { Query } from '../../../kernel/store/store.ts';

const keepsMs = 10_000;
const mostRoundTripMs = 1000;
const mostDriftMs = 1000;

/** SQL for the server's time in milliseconds. */
export const serverTime = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** The server's clock. By it, machines whose clocks differ agree on when a lease or a session ends. */
export function createClock() {
  let seen: { readonly server: number; readonly monotonic: number; readonly own: number } | undefined;

  return {
    // Extrapolated by the monotonic clock, which cannot be set.
    now: () => new Date(seen === undefined ? Date.now() : seen.server + (performance.now() - seen.monotonic)),
    /** The query for the server's time, to be sent along with a read; undefined while the known time is fresh. */
    question(): Query | undefined {
      const monotonic = performance.now();
      // The monotonic clock can stop while a machine sleeps; the wall clock shows that.
      const drift = seen === undefined ? 0 : Date.now() - seen.own - (monotonic - seen.monotonic);
      const isFresh = seen !== undefined && monotonic - seen.monotonic < keepsMs && Math.abs(drift) < mostDriftMs;
      return isFresh ? undefined : { sql: `select ${serverTime} as ms`, args: {} };
    },
    /** Takes the server's answer. `asked` is the time of the question by `performance.now`. */
    answered(serverMs: number, asked: number): void {
      const monotonic = performance.now();
      const tripMs = monotonic - asked;
      // After a long round trip it is unknown when the server read its clock.
      if (seen !== undefined && tripMs > mostRoundTripMs) return;
      seen = { server: serverMs + tripMs / 2, monotonic, own: Date.now() };
    },
  };
}
