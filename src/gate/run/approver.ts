import type { Actor } from '../../kernel/context.ts';

/**
 * Who counts as one for approvals. People without an identity are told apart by their operating-system user, whichever of a
 * person's roles they take; whatever else that user started is not that person, and one agent in all of its roles.
 */
export function approverId(actor: Actor): string {
  return actor.person ? actor.id : `agent:${actor.id}`;
}

/** What an agent says is nobody's yes. */
export function isAgentId(who: string): boolean {
  return who.startsWith('agent:');
}

/** Whoever moved the run on did not hand in what the gate found by itself. */
export const gateActor = 'gate';
