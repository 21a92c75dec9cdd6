import * as z from 'zod';
import { type Definition, guardName, guardSpec } from '../definition/definition.ts';
import { permissionsSchema } from '../shapes.ts';
import { described } from '../words.ts';

export const graphOutput = {
  initial_state: z.string(),
  states: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      prompt: z.string().nullable(),
      is_final: z.boolean(),
      tool_permissions: permissionsSchema,
    }),
  ),
  events: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      allowed_roles: described(z.array(z.string()).readonly().nullable(), 'null: every role'),
    }),
  ),
  transitions: z.array(
    z.object({
      from: z.string(),
      event: z.string(),
      to: z.string(),
      guards: z.array(z.object({ name: z.string(), type: z.string(), description: z.string() })),
    }),
  ),
} as const;

export function describeGraph(definition: Definition) {
  return {
    initial_state: definition.initial_state,
    states: definition.states.map(({ name, description, prompt, is_final, tool_permissions }) => ({
      name,
      description,
      prompt: prompt ?? null,
      is_final,
      tool_permissions: tool_permissions ?? null,
    })),
    events: definition.events.map(({ name, description, allowed_roles }) => ({
      name,
      description,
      allowed_roles: allowed_roles ?? null,
    })),
    transitions: definition.transitions.map(({ from, event, to, guards }) => ({
      from,
      event,
      to,
      guards: guards.map((guard) => ({
        name: guardName(guard),
        type: guardSpec(definition, guard)?.type ?? '',
        description: guardSpec(definition, guard)?.description ?? '',
      })),
    })),
  };
}
