import * as z from 'zod';
import { guardReference } from '../guard.ts';
import { rule } from '../../kernel/text/rule.ts';
import { words } from '../words.ts';

const name = z.string().min(1).max(200);
const names = z.array(name);
const object = z.record(z.string(), z.unknown());

export const headSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, rule(words('letters, digits, dot, dash and underscore only'))),
  version: z.union([z.string().min(1), z.number().transform(String)]),
  name: z.string().optional(),
  description: z.string().optional(),
  initial_state: name,
  initial_context: object.optional(),
  inputs: names.optional(),
  context_schema: object.optional(),
});

const permissions = z.strictObject({ allowed: names.optional(), denied: names.optional(), ask: names.optional() });

const state = z.strictObject({
  name,
  description: z.string().optional(),
  prompt: z.string().optional(),
  required_artifacts: z
    .array(z.union([name, z.strictObject({ path: z.string().min(1) }), z.strictObject({ type: name })]))
    .optional(),
  tool_permissions: permissions.optional(),
  is_final: z.boolean().optional(),
  /** The reference implementation's spelling of is_final. */
  is_terminal: z.boolean().optional(),
});

const event = z.strictObject({
  name,
  description: z.string().optional(),
  allowed_roles: names.optional(),
  payload_schema: object.optional(),
  context: z.union([names, z.literal(false)]).optional(),
});

const transition = z.strictObject({
  from: name,
  event: name,
  to: name,
  guard: guardReference.optional(),
  guards: z.array(guardReference).optional(),
  allowed_roles: names.optional(),
  description: z.string().optional(),
});

const artifact = z.strictObject({
  type: name,
  description: z.string().optional(),
  path: z.string().optional(),
  schema: object.optional(),
  /** False: a working paper, which the store keeps and no commit gets. */
  land: z.boolean().optional(),
  /** The reference implementation's spelling of required_artifacts. */
  required_in_states: names.optional(),
  /** The reference implementation lists here the events that need the file; it blocks nothing there either. */
  required_for_transitions: names.optional(),
});

const role = z.strictObject({
  name,
  description: z.string().optional(),
  /** A custom role is a person's by default. */
  kind: z.enum(['agent', 'person']).optional(),
  allowed_events: names.optional(),
  can_approve: z.boolean().optional(),
  can_reject: z.boolean().optional(),
});

/** The schema of everything but the head. Each guard type checks its own parameters. */
export const bodySchema = z.strictObject({
  states: z.array(state).min(1),
  events: z.array(event),
  transitions: z.array(transition),
  guards: z.record(z.string(), z.looseObject({ type: z.string() })).optional(),
  artifacts: z.array(artifact).optional(),
  roles: z.array(role).optional(),
});

export type Head = z.output<typeof headSchema>;
export type Body = z.output<typeof bodySchema>;
