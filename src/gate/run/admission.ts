import type { Context } from '../../kernel/context.ts';
import type { Problem } from '../../kernel/problem.ts';
import { configuredAgentRoles } from '../../kernel/role.ts';
import { isPosing } from '../definition/agents-role.ts';
import { type Definition, type Event, type Transition, findEvent } from '../definition/definition.ts';
import { admits, roleFault } from '../definition/role.ts';
import { problem, refusal } from '../problem.ts';
import { transitionsFor } from './machine.ts';
import type { Run } from './runs.ts';
import { legalStates } from '../view/events.ts';

/** Returns the event and the transitions that this actor may try with it; throws the first refusal. */
export function admitEvent(
  context: Pick<Context, 'actor' | 'ports'>,
  { definition, state, aborted }: Pick<Run, 'definition' | 'state' | 'aborted'>,
  name: string,
): { readonly event: Event; readonly open: readonly Transition[] } {
  const { actor } = context;
  if (aborted !== null)
    throw problem.INVALID_EVENT(
      { event: name, state, legal_in: [], possible: [], aborted },
      { current_state: state, possible_events: [], legal_in: [], aborted },
    );
  const event = findEvent(definition, name);
  if (event === undefined) throw invalidEvent(definition, name, undefined, state);
  const fault = isPosing(definition, actor, configuredAgentRoles.of(context))
    ? 'posing'
    : roleFault(definition, event, actor.role);
  if (fault !== undefined) throw refusal.event({ role: actor.role, event: event.name, by: fault });
  const here = transitionsFor(definition, state, event.name);
  if (here.length === 0) throw invalidEvent(definition, event.name, state, state);
  const open = here.filter((one) => admits(one.allowed_roles, actor.role));
  if (open.length === 0) throw refusal.event({ role: actor.role, event: event.name, by: 'transition' });
  return { event, open };
}

function invalidEvent(definition: Definition, event: string, state: string | undefined, current: string): Problem {
  const possible = [...new Set(definition.transitions.filter((one) => one.from === current).map((one) => one.event))];
  const legalIn = legalStates(definition, event);
  return problem.INVALID_EVENT(
    { event, state, legal_in: legalIn, possible },
    { current_state: current, possible_events: possible, legal_in: legalIn },
  );
}
