import * as z from 'zod';
import { rule } from '../kernel/text/rule.ts';
import { words } from './words.ts';

const name = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u,
    rule(words('letters, digits, dot, dash and underscore only, at most 100')),
  );
const names = z.array(z.string().min(1));

const item = z.strictObject({
  id: name,
  title: z.string().min(1).optional(),
  /** The prompt's name in the source if it differs from the id, or the text itself. */
  prompt: z
    .string()
    .regex(/\S/, rule(words('a prompt must not be empty')))
    .optional(),
  /** Guards as in a process definition, inline. Each kind checks its parameters when the plan is used. */
  guards: z.array(z.looseObject({ type: z.string() })).optional(),
  required_files: names.optional(),
  tool_permissions: z
    .strictObject({ allowed: names.optional(), denied: names.optional(), ask: names.optional() })
    .optional(),
});

export type PhaseItem = Readonly<z.output<typeof item>>;

export const variablesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const phasesSchema = z
  .array(z.union([name.transform((id) => ({ id })), item]))
  .min(1)
  .refine((list) => new Set(list.map((one) => one.id)).size === list.length, rule(words('each phase only once')));
