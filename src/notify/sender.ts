import type { Context } from '../kernel/context.ts';
import { type Identity, isAlive, thisProcess } from '../machine/identity.ts';
import { thisMachine } from '../machine/this-machine.ts';
import { type Delivery, type Lease, keepAttempt, keyOf, readDue, takeLease } from './outbox.ts';
import type { Target } from './settings.ts';
import { createHmac } from 'node:crypto';
import type { Environment } from '../base/environment.ts';
import { type Message, formats } from './message.ts';

const patienceMs = 10_000;
/** Lifetime of the lease: longer than an attempt, and renewed by each. */
const leaseMs = 3 * patienceMs;
const firstPauseMs = 1000;
const longestPauseMs = 3600 * 1000;
const givenUpMs = 3 * 24 * 3600 * 1000;

interface Holder extends Identity {
  readonly machine: string;
  /** Id of the sender, because a process can have several. */
  readonly sender: string;
}

/** Returns a function that sends due deliveries, unless another sender is at work. It can be called at any rate. */
export function createSender(context: Context, targets: readonly Target[], signal: AbortSignal): () => Promise<void> {
  const self: Holder = { machine: thisMachine(), ...thisProcess(), sender: context.newId('snd-') };
  const holder = JSON.stringify(self);
  const lease = (): Lease => ({ holder, until: later(context, leaseMs) });
  let busy = false;

  const work = async () => {
    const { due, lease: seen } = await readDue(context);
    if (due.length === 0 || !(seen.holder === holder || isFree(context, seen))) return;
    if (!(await takeLease(context, seen, lease()))) return;
    // Deliveries to one target are sequential; targets do not wait for each other.
    await Promise.all(
      [...new Set(due.map((one) => one.target))].map(async (key) => {
        const target = targets.find((one) => keyOf(one) === key);
        const own = due.filter((one) => one.target === key);
        for (const one of own) if (signal.aborted || !(await attempt(one, target))) return;
      }),
    );
  };

  /** Returns false if another sender has taken over or this one is stopping. */
  const attempt = async (delivery: Delivery, target: Target | undefined): Promise<boolean> => {
    const reason =
      target === undefined
        ? 'the target is no longer configured'
        : await sendMessage(target, delivery.message, context.environment, signal);
    // This sender is stopping, which aborted the request. The next one retries it.
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

/** Reports whether the lease has no holder, has expired, or its holder has died on this machine. */
function isFree(context: Context, { holder, until }: Lease): boolean {
  if (holder === '' || until < context.now().toISOString()) return true;
  const { machine, pid, start } = JSON.parse(holder) as Holder;
  return machine === thisMachine() && !isAlive(pid, start);
}

/** Sends a message. Returns the reason of a failure, without the URL: that may be a secret. */
async function sendMessage(
  target: Target,
  message: Message,
  env: Environment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const url = typeof target.url === 'string' ? target.url : env[target.url.env];
  const secret = target.secret === undefined ? undefined : env[target.secret.env];
  if (url === undefined || url === '') return unset(target.url);
  if (target.secret !== undefined && (secret === undefined || secret === '')) return unset(target.secret);
  const { body, headers } = formats[target.type](message);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'User-Agent': 'sekisho',
        'Sekisho-Delivery': message.id,
        ...headers,
        ...(secret !== undefined && proof(target, secret, body)),
      },
      // Redirects are not followed: the configuration names the only receiver.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `status ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

function proof({ type }: Target, secret: string, body: string): Readonly<Record<string, string>> {
  return type === 'ntfy'
    ? { Authorization: `Bearer ${secret}` }
    : { 'Sekisho-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}

function unset(given: Target['url']): string {
  return typeof given === 'string' ? 'no URL' : `the environment variable ${given.env} is not set`;
}

/** The reason without the message of the error, which can quote the URL. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
  return cause?.code ?? (name === 'TimeoutError' ? 'no answer in time' : 'the request failed');
}
