import type { Actor } from '../kernel/context.ts';

/**
 * Who counts as one for approvals. People without an identity are told apart by their operating-system user, whatever role
 * they take; an agent that the same user started is not that person.
 */
export function person(actor: Actor): string {
  return actor.role === 'agent' ? `agent:${actor.id}` : actor.id;
}
