import { performance } from 'node:perf_hooks';
import type { Query } from '../../../kernel/store/store.ts';

const keepsMs = 10_000;
const mostRoundTripMs = 1000;
const mostDriftMs = 1000;

/** In milliseconds. */
export const serverTime = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** The server's clock: machines whose own clocks differ agree by it on when a lease or a session ends. */
export interface Clock {
  now(): Date;
  /** To be sent along with a read where it is time to look again. */
  question(): Query | undefined;
  /** `asked` is when the question was sent, by `performance.now`. */
  answered(serverMs: number, asked: number): void;
}

export function createClock(): Clock {
  let seen: { readonly server: number; readonly steady: number; readonly own: number } | undefined;

  return {
    // Counted on by the steady clock: nobody sets that one.
    now: () => new Date(seen === undefined ? Date.now() : seen.server + (performance.now() - seen.steady)),
    question() {
      const steady = performance.now();
      // The steady clock may stand while a machine sleeps; the other one shows that.
      const apart = seen === undefined ? 0 : Date.now() - seen.own - (steady - seen.steady);
      const isFresh = seen !== undefined && steady - seen.steady < keepsMs && Math.abs(apart) < mostDriftMs;
      return isFresh ? undefined : { sql: `select ${serverTime} as ms`, args: {} };
    },
    answered(serverMs, asked) {
      const steady = performance.now();
      const tripMs = steady - asked;
      // After a long wait nobody knows when the server looked.
      if (seen !== undefined && tripMs > mostRoundTripMs) return;
      seen = { server: serverMs + tripMs / 2, steady, own: Date.now() };
    },
  };
}
