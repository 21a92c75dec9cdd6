import type { Actor } from '../../kernel/context.ts';
import { agentRole } from '../../kernel/role.ts';
import type { Definition } from './definition.ts';
import { countedIn } from '../guards.ts';

/** Roles of this process whose yes or no counts as a person's. They are nobody else's, whatever is said of them. */
export function decidingRoles({ roles, transitions, guards }: Definition): ReadonlySet<string> {
  const counted = countedIn([...Object.keys(guards), ...transitions.flatMap((one) => one.guards)], guards);
  return new Set([
    ...counted.flatMap((one) => one.role ?? []),
    ...roles.filter((one) => one.can_approve || one.can_reject).map((one) => one.name),
  ]);
}

/** Roles beside `agent` that this process leaves to agents. */
export function agentRolesIn(definition: Definition, configured: readonly string[]): ReadonlySet<string> {
  const deciding = decidingRoles(definition);
  const said = definition.roles.filter((one) => one.kind === 'agent').map((one) => one.name);
  return new Set([...said, ...configured].filter((name) => name !== '*' && !deciding.has(name)));
}

/** Another process may leave a role to agents that is a person's in this one. */
export function isPosing(definition: Definition, { role, person }: Actor, configured: readonly string[]): boolean {
  // What Sekisho does by itself has a role that nobody can claim.
  return !person && ![agentRole, 'system', 'runner'].includes(role) && !agentRolesIn(definition, configured).has(role);
}
