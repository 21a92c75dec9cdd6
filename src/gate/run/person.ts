import type { Actor } from '../../kernel/context.ts';
import { isPersonal } from '../../kernel/role.ts';

/**
 * Who counts as one for approvals. People without an identity are told apart by their operating-system user, whichever of a
 * person's roles they take; whatever else that user started is not that person, and one agent in all of its roles.
 */
export function person(actor: Actor): string {
  return isPersonal(actor.role) ? actor.id : `agent:${actor.id}`;
}

/** Whoever moved the run on did not hand in what the gate found by itself. */
export const gateItself = 'gate';
