import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { defineGuard, guardParameters, satisfied, failGuard } from '../guard.ts';
import { phrase } from '../phrase.ts';
import { rule } from '../../kernel/text/rule.ts';
import type { Words } from '../../kernel/text/text.ts';

const conditions = ['equals', 'not_equals', 'in', 'not_in', 'exists', 'not_exists'] as const;

/** A variable of the run's context satisfies a condition. A missing variable satisfies no comparison; null is a value. */
export const context = defineGuard({
  type: 'context',
  parameters: guardParameters('context', {
    variable: z.string().min(1),
    condition: z.enum(conditions),
    value: z.unknown().optional(),
  }).superRefine((spec, issues) => {
    const lists = spec.condition === 'in' || spec.condition === 'not_in';
    const compares = lists || spec.condition === 'equals' || spec.condition === 'not_equals';
    const refuse = ({ en, ja }: Words) =>
      issues.addIssue({
        code: 'custom',
        path: ['value'],
        message: rule({ en: `${spec.condition} ${en}`, ja: `${spec.condition} ${ja}` }),
      });
    if (lists && !Array.isArray(spec.value))
      refuse({ en: 'needs a list as value', ja: 'の value は一覧にしてください' });
    if (compares && spec.value === undefined) refuse({ en: 'needs a value', ja: 'には value が必要です' });
    if (!compares && spec.value !== undefined) refuse({ en: 'takes no value', ja: 'に value は指定できません' });
  }),
  variables: (spec) => [spec.variable],
  check(spec, look) {
    const present = Object.hasOwn(look.evidence.context, spec.variable);
    const actual = present ? look.evidence.context[spec.variable] : undefined;
    const isOneOf = () => Array.isArray(spec.value) && spec.value.some((one) => isDeepStrictEqual(one, actual));
    const holds = {
      exists: () => present,
      not_exists: () => !present,
      equals: () => present && isDeepStrictEqual(actual, spec.value),
      not_equals: () => present && !isDeepStrictEqual(actual, spec.value),
      in: () => present && isOneOf(),
      not_in: () => present && !isOneOf(),
    }[spec.condition]();
    if (holds) return satisfied;
    return failGuard(
      look,
      phrase.guardContext({
        variable: spec.variable,
        condition: spec.condition,
        current: present ? JSON.stringify(actual) : '-',
        required: JSON.stringify(spec.value) ?? '',
      }),
    );
  },
});
