import { coldStart } from './measurement/cold-start.mjs';
import { dashboard } from './measurement/dashboard.mjs';
import { emit } from './measurement/emit.mjs';
import { fiftyAgents } from './measurement/fifty-agents.mjs';
import { growth } from './measurement/growth.mjs';
import { hook } from './measurement/hook.mjs';
import { listing } from './measurement/listing.mjs';
import { pace } from './measurement/pace.mjs';
import { proxiedHttp } from './measurement/proxied-http.mjs';
import { proxiedStdio } from './measurement/proxied-stdio.mjs';
import { wakeUp } from './measurement/wake-up.mjs';
import { worktree } from './measurement/worktree.mjs';
import { writers } from './measurement/writers.mjs';

/**
 * Every measurement, in the order in which they run: { name, run({ product, quick, postgres }) }. `pace` is what a user
 * notices, the others are loops. A row of the table is
 * { what, n, p50, p90, p99, floor: { name, p50 … }, ratio, bar: { ratio | p50 | p90 | p99 | count and limit }, note }.
 */
export const measurements = [
  pace,
  coldStart,
  hook,
  emit,
  growth,
  proxiedStdio,
  proxiedHttp,
  writers,
  wakeUp,
  listing,
  worktree,
  fiftyAgents,
  dashboard,
];
