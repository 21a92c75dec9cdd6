import * as z from 'zod';
import { defineGuard, guardParameters, guardReference } from '../guard.ts';
import { phrase } from '../phrase.ts';

export const any = defineGuard({
  type: 'any',
  parameters: guardParameters('any', { guards: z.array(guardReference).min(1) }),
  children: (spec) => spec.guards,
  async check(spec, look) {
    const reasons: string[] = [];
    let undetermined = false;
    for (const reference of spec.guards) {
      const verdict = await look.evaluate(reference);
      if (verdict.satisfied) return verdict;
      reasons.push(verdict.reason);
      undetermined ||= verdict.undetermined === true;
    }
    return {
      satisfied: false,
      ...(undetermined && { undetermined }),
      reason: look.say(phrase.guardAny({ reasons: reasons.join(' | ') })),
    };
  },
});
