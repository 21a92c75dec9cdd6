import * as z from 'zod';
import { rule } from '../kernel/text/rule.ts';

const name = z.string().regex(
  /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u,
  rule({
    en: 'letters, digits, dot, dash and underscore only, at most 100',
    ja: '使えるのは英数字、ドット、ハイフン、アンダースコアだけで、100 文字以内です',
  }),
);
const names = z.array(z.string().min(1));

const item = z.strictObject({
  id: name,
  title: z.string().min(1).optional(),
  prompt: z
    .string()
    .regex(/\S/, rule({ en: 'a prompt must not be empty', ja: 'プロンプトは空にできません' }))
    .optional(),
  /** Guards as in a process definition, written in place; each kind checks its own parameters when the plan is used. */
  guards: z.array(z.looseObject({ type: z.string() })).optional(),
  required_files: names.optional(),
  tool_permissions: z
    .strictObject({ allowed: names.optional(), denied: names.optional(), ask: names.optional() })
    .optional(),
});

export const variablesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const phasesSchema = z
  .array(z.union([name.transform((id) => ({ id })), item]))
  .min(1)
  .refine(
    (list) => new Set(list.map((one) => one.id)).size === list.length,
    rule({ en: 'each phase only once', ja: '同じフェーズは 1 度だけ指定できます' }),
  );
