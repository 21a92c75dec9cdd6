import type { Context } from '../kernel/context.ts';
import { type Identity, isAlive, thisProcess } from '../machine/identity.ts';
import { thisMachine } from '../machine/this-machine.ts';
import { type Delivery, type Lease, keepAttempt, keyOf, readDue, takeLease } from './outbox.ts';
import { patienceMs, send } from './send.ts';
import type { Target } from './settings.ts';

/** Longer than an attempt takes; each attempt renews it. */
const leaseMs = 3 * patienceMs;
const firstPauseMs = 1000;
const longestPauseMs = 3600 * 1000;
/** What did not arrive for so long is no news any more. */
const givenUpMs = 3 * 24 * 3600 * 1000;

interface Holder extends Identity {
  readonly machine: string;
  /** There may be several in a process. */
  readonly sender: string;
}

/** Sends what is due, if nobody else is at it. Called as often as one likes. */
export function createSender(context: Context, targets: readonly Target[], signal: AbortSignal): () => Promise<void> {
  const self: Holder = { machine: thisMachine(), ...thisProcess(), sender: context.newId('snd-') };
  const holder = JSON.stringify(self);
  const lease = (): Lease => ({ holder, until: later(context, leaseMs) });
  let busy = false;

  const work = async () => {
    const { due, lease: seen } = await readDue(context);
    if (due.length === 0 || !(seen.holder === holder || isFree(context, seen))) return;
    if (!(await takeLease(context, seen, lease()))) return;
    // One after the other for a target; a slow one keeps no other waiting.
    await Promise.all(
      [...new Set(due.map((one) => one.target))].map(async (key) => {
        const target = targets.find((one) => keyOf(one) === key);
        const own = due.filter((one) => one.target === key);
        for (const one of own) if (signal.aborted || !(await attempt(one, target))) return;
      }),
    );
  };

  /** False where somebody else sends by now. */
  const attempt = async (delivery: Delivery, target: Target | undefined): Promise<boolean> => {
    const reason =
      target === undefined
        ? 'it is no target any more'
        : await send(target, delivery.message, context.environment, signal);
    // Cut off by the end of this process: the next one tries again.
    if (reason !== undefined && signal.aborted) return false;
    if (reason !== undefined)
      context.log.warn('notify: not delivered', { delivery: delivery.id, target: delivery.target, reason });
    const isOver = target === undefined || Date.parse(delivery.createdAt) + givenUpMs < context.now().getTime();
    const wait = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(delivery.attempts, 20));
    const nextAt = reason === undefined || isOver ? undefined : later(context, wait);
    return keepAttempt(context, delivery, { reason, nextAt }, lease());
  };

  return async () => {
    if (busy || signal.aborted) return;
    busy = true;
    try {
      await work();
    } finally {
      busy = false;
    }
  };
}

function later(context: Context, ms: number): string {
  return new Date(context.now().getTime() + ms).toISOString();
}

/** Nobody has it, or whoever had it is gone. */
function isFree(context: Context, { holder, until }: Lease): boolean {
  if (holder === '' || until < context.now().toISOString()) return true;
  const { machine, pid, start } = JSON.parse(holder) as Holder;
  return machine === thisMachine() && !isAlive(pid, start);
}
