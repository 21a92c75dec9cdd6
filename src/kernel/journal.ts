import type { Actor, Context } from './context.ts';
import type { Entry } from './store.ts';

export function actorName(actor: Actor): string {
  return `${actor.role}:${actor.id}${actor.verified ? '' : ' (unverified)'}`;
}

/** One journal entry by this context's actor. */
export function entry(
  context: Pick<Context, 'actor' | 'now'>,
  subject: string,
  kind: string,
  data: Readonly<Record<string, unknown>>,
): Entry {
  return {
    at: context.now().toISOString(),
    actor: actorName(context.actor),
    subject,
    kind,
    data: JSON.stringify(data),
  };
}
