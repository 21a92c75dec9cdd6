import type { Actor } from '../../kernel/context.ts';

/**
 * Returns the identity under which approvals are counted. A person without an identity is identified by their
 * operating-system user, in all roles. Anything else that this user started is an agent, one identity in all of its roles.
 */
export function approverId(actor: Actor): string {
  return actor.person ? actor.id : `agent:${actor.id}`;
}

/** Tells whether this identity is an agent's, which can never approve. */
export function isAgentId(who: string): boolean {
  return who.startsWith('agent:');
}

/** The submitter of files that the gate found itself: the actor of the event did not submit them. */
export const gateActor = 'gate';
