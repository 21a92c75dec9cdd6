import * as z from 'zod';
import { guardName } from '../definition/definition.ts';
import { guardReference } from '../definition/guard-reference.ts';
import { defineGuard } from '../guard.ts';
import { phrase } from '../phrase.ts';

export const not = defineGuard({
  type: 'not',
  parameters: z.strictObject({ type: z.literal('not'), description: z.string().optional(), guard: guardReference }),
  children: (spec) => [spec.guard],
  async check(spec, look) {
    const verdict = await look.evaluate(spec.guard);
    if (verdict.undetermined === true) return verdict;
    const note = {
      ...(verdict.note !== undefined && { note: verdict.note }),
      ...(verdict.kept !== undefined && { kept: verdict.kept }),
    };
    return verdict.satisfied
      ? { satisfied: false, reason: look.say(phrase.guardNot({ guard: guardName(spec.guard) })), ...note }
      : { satisfied: true, reason: '', ...note };
  },
});
