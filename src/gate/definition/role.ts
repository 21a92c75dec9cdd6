import type { RoleFault } from '../problem.ts';
import { type Definition, type Event, type Role, findState } from './definition.ts';

/** May this role emit this event at all? All that say something must admit it; what is absent admits everybody. */
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

/** What this role can emit in this state, whether or not the evidence suffices. */
export function possibleEvents(definition: Definition, state: string, role: string): readonly string[] {
  if (findState(definition, state)?.is_final === true) return [];
  const here = definition.transitions.filter((one) => one.from === state && admits(one.allowed_roles, role));
  return definition.events
    .filter((event) => here.some((one) => one.event === event.name) && roleFault(definition, event, role) === undefined)
    .map((event) => event.name);
}
