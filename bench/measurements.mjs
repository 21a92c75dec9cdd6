import { cachedPrompt } from './measurement/cached-prompt.mjs';
import { chain } from './measurement/chain.mjs';
import { coldStart } from './measurement/cold-start.mjs';
import { dashboardMemory } from './measurement/dashboard-memory.mjs';
import { dashboard } from './measurement/dashboard.mjs';
import { emit } from './measurement/emit.mjs';
import { fiftyAgents } from './measurement/fifty-agents.mjs';
import { growth } from './measurement/growth.mjs';
import { hook } from './measurement/hook.mjs';
import { hostOverhead } from './measurement/host-overhead.mjs';
import { listing } from './measurement/listing.mjs';
import { memory } from './measurement/memory.mjs';
import { proxiedHttp } from './measurement/proxied-http.mjs';
import { proxiedStdio } from './measurement/proxied-stdio.mjs';
import { tenThousandTasks } from './measurement/ten-thousand-tasks.mjs';
import { wakeUp } from './measurement/wake-up.mjs';
import { worktree } from './measurement/worktree.mjs';
import { writers } from './measurement/writers.mjs';

/**
 * Every measurement: { name, run({ product, quick, postgres }) }, in the order in which they run. A row of the table is
 * { what, n, p50, p90, p99, floor: { name, p50 … }, ratio, bar: { ratio | p50 | p99 | count and limit }, note, skipped }.
 */
export const measurements = [
  coldStart,
  hook,
  emit,
  chain,
  growth,
  listing,
  tenThousandTasks,
  writers,
  wakeUp,
  worktree,
  proxiedStdio,
  proxiedHttp,
  cachedPrompt,
  hostOverhead,
  fiftyAgents,
  memory,
  dashboard,
  dashboardMemory,
];
