import * as z from 'zod';
import { guardName } from '../definition.ts';
import { guardReference } from '../guard-reference.ts';
import { defineGuard, satisfied } from '../guard.ts';

export const not = defineGuard({
  type: 'not',
  parameters: z.strictObject({ type: z.literal('not'), description: z.string().optional(), guard: guardReference }),
  children: (spec) => [spec.guard],
  async check(spec, look) {
    const verdict = await look.evaluate(spec.guard);
    return verdict.satisfied
      ? { satisfied: false, reason: look.say('guard.not', { guard: guardName(spec.guard) }) }
      : satisfied;
  },
});
