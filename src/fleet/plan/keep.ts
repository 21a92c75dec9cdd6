import type { Context } from '../../kernel/context.ts';
import { fleetContext } from '../fleet-context.ts';
import { checkInBackground } from '../role/probe.ts';
import { settle } from './settle.ts';
import type { Environment } from '../../base/environment.ts';

const lookMs = 2000;
const checkAfterMs = 1000;

/** Settles the fleet regularly while a daemon runs. Returns a function that stops it. */
export function keepFleet(context: Context, env: Environment): () => void {
  const fleet = fleetContext(context);
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return; // Ending a process tree that ignores signals takes seconds.
    busy = true;
    settle(fleet)
      .catch((error: unknown) => context.log.warn('could not settle the fleet', { reason: String(error) }))
      .finally(() => (busy = false));
  }, lookMs);
  const check = setTimeout(() => {
    checkInBackground(context, env).catch((error: unknown) =>
      context.log.debug('fleet: roles not checked', { reason: String(error) }),
    );
  }, checkAfterMs);
  return () => {
    clearInterval(timer);
    clearTimeout(check);
  };
}
