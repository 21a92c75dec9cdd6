import type { Body, Head } from './schema.ts';
import { type Definition, type GuardReference, type JsonObject, guardsOutOf } from './definition.ts';
import { countedIn } from '../guards.ts';

/** Compiles a file into the definition that runs keep: defaults are filled in and alternative spellings normalized. */
export function compileDefinition(head: Head, body: Body): Definition {
  const transitions = body.transitions.map((one) => ({
    from: one.from,
    event: one.event,
    to: one.to,
    guards: [...(one.guard === undefined ? [] : [one.guard]), ...(one.guards ?? [])] as GuardReference[],
    allowed_roles: one.allowed_roles,
    description: one.description,
  }));
  return {
    id: head.id,
    version: head.version,
    name: head.name ?? head.id,
    description: head.description ?? '',
    initial_state: head.initial_state,
    initial_context: (head.initial_context ?? {}) as JsonObject,
    context_schema: head.context_schema as JsonObject | undefined,
    inputs: head.inputs ?? [],
    states: body.states.map((state) => ({
      name: state.name,
      description: state.description ?? '',
      prompt: state.prompt,
      required_artifacts: requiredIn(state, body),
      tool_permissions:
        state.tool_permissions === undefined
          ? undefined
          : {
              allowed: state.tool_permissions.allowed ?? [],
              denied: state.tool_permissions.denied ?? [],
              ask: state.tool_permissions.ask ?? [],
            },
      counted: countedIn(guardsOutOf({ transitions }, state.name), body.guards),
      is_final: state.is_final ?? state.is_terminal ?? false,
    })),
    events: body.events.map((event) => ({
      name: event.name,
      description: event.description ?? '',
      allowed_roles: event.allowed_roles,
      payload_schema: event.payload_schema as JsonObject | undefined,
      context: event.context,
    })),
    transitions,
    guards: body.guards ?? {},
    artifacts: (body.artifacts ?? []).map((one) => ({
      type: one.type,
      description: one.description ?? '',
      path: one.path,
      schema: one.schema as JsonObject | undefined,
      ...(one.land === false && { land: one.land }),
    })),
    roles: (body.roles ?? []).map((one) => ({
      name: one.name,
      ...(one.kind !== undefined && { kind: one.kind }),
      allowed_events: one.allowed_events,
      can_approve: one.can_approve ?? false,
      can_reject: one.can_reject ?? false,
    })),
  };
}

function requiredIn(state: Body['states'][number], body: Body): Definition['states'][number]['required_artifacts'] {
  const own = (state.required_artifacts ?? []).map((one) => (typeof one === 'string' ? { type: one } : one));
  const theirs = (body.artifacts ?? [])
    .filter(({ type, required_in_states: states = [] }) => {
      return states.includes(state.name) && !own.some((one) => 'type' in one && one.type === type);
    })
    .map(({ type }) => ({ type }));
  return [...own, ...theirs];
}
