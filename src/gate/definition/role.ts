import type { RoleFault } from '../problem.ts';
import { type Definition, type Event, type Role, findState } from './definition.ts';

/** Returns the rule that keeps a role from emitting an event. An absent list admits every role. */
export function roleFault(definition: Definition, event: Event, roleName: string): RoleFault | undefined {
  if (!admits(event.allowed_roles, roleName)) return 'event';
  const role = findRole(definition, roleName);
  if (role === undefined) return undefined;
  if (!admits(role.allowed_events, event.name)) return 'role';
  if (event.name === 'approve' && !role.can_approve) return 'approve';
  if (event.name === 'reject' && !role.can_reject) return 'reject';
  return undefined;
}

function findRole(definition: Definition, name: string): Role | undefined {
  return definition.roles.find((one) => one.name === name) ?? definition.roles.find((one) => one.name === '*');
}

export function admits(list: readonly string[] | undefined, name: string): boolean {
  return list === undefined || list.includes('*') || list.includes(name);
}

/** Lists the events that this role can emit in this state, regardless of the evidence. */
export function possibleEvents(definition: Definition, state: string, role: string): readonly string[] {
  if (findState(definition, state)?.is_final === true) return [];
  const here = definition.transitions.filter((one) => one.from === state && admits(one.allowed_roles, role));
  return definition.events
    .filter((event) => here.some((one) => one.event === event.name) && roleFault(definition, event, role) === undefined)
    .map((event) => event.name);
}
