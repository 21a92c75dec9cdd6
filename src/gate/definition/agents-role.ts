import type { Actor } from '../../kernel/context.ts';
import { agentRole } from '../../kernel/role.ts';
import type { Definition } from './definition.ts';
import { countedIn } from '../guards.ts';

/** Lists the roles whose approval or rejection counts. Only people can have them, whatever the configuration says. */
export function decidingRoles({ roles, transitions, guards }: Definition): ReadonlySet<string> {
  const counted = countedIn([...Object.keys(guards), ...transitions.flatMap((one) => one.guards)], guards);
  return new Set([
    ...counted.flatMap((one) => one.role ?? []),
    ...roles.filter((one) => one.can_approve || one.can_reject).map((one) => one.name),
  ]);
}

/** Lists the roles beside `agent` that agents can have in this process. */
export function agentRolesIn(definition: Definition, configured: readonly string[]): ReadonlySet<string> {
  const deciding = decidingRoles(definition);
  const said = definition.roles.filter((one) => one.kind === 'agent').map((one) => one.name);
  return new Set([...said, ...configured].filter((name) => name !== '*' && !deciding.has(name)));
}

/** Tells whether an agent claims a role that belongs to people in this process, even if not in others. */
export function isPosing(definition: Definition, { role, person }: Actor, configured: readonly string[]): boolean {
  // `system` and `runner` are Sekisho's own roles; no caller can claim them.
  return !person && ![agentRole, 'system', 'runner'].includes(role) && !agentRolesIn(definition, configured).has(role);
}
