import * as z from 'zod';
import { guardReference } from '../guard-reference.ts';
import { defineGuard, satisfied } from '../guard.ts';

export const all = defineGuard({
  type: 'all',
  parameters: z.strictObject({
    type: z.literal('all'),
    description: z.string().optional(),
    guards: z.array(guardReference).min(1),
  }),
  children: (spec) => spec.guards,
  async check(spec, look) {
    const reasons: string[] = [];
    for (const reference of spec.guards) {
      const verdict = await look.evaluate(reference);
      if (!verdict.satisfied) reasons.push(verdict.reason);
    }
    return reasons.length === 0 ? satisfied : { satisfied: false, reason: reasons.join('; ') };
  },
});
