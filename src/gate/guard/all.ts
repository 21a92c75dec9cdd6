import * as z from 'zod';
import { guardName } from '../definition/definition.ts';
import { type Artifact, defineGuard, guardParameters, guardReference } from '../guard.ts';
import { phrase } from '../phrase.ts';

export const all = defineGuard({
  type: 'all',
  parameters: guardParameters('all', { guards: z.array(guardReference).min(1) }),
  children: (spec) => spec.guards,
  async check(spec, look) {
    const cheap = spec.guards.filter((one) => !look.isExpensive(one));
    const expensive = spec.guards.filter((one) => look.isExpensive(one));
    const open: string[] = [];
    const reasons: string[] = [];
    const seen: Artifact[] = [];
    const notes: object[] = [];
    const kept: string[] = [];
    let refuted = false;
    for (const reference of [...cheap, ...expensive]) {
      if (look.deciding && open.length > 0 && expensive.includes(reference)) {
        reasons.push(look.say(phrase.guardCommandWaiting({ guards: open.join(', ') })));
        continue;
      }
      const verdict = await look.evaluate(reference);
      seen.push(...(verdict.seen ?? []));
      kept.push(...(verdict.kept ?? []));
      if (verdict.note !== undefined) notes.push({ guard: guardName(reference), ...verdict.note });
      if (verdict.satisfied) continue;
      open.push(guardName(reference));
      reasons.push(verdict.reason);
      // One part that is certainly unsatisfied decides the result, even if others are undetermined.
      refuted ||= verdict.undetermined !== true;
    }
    return {
      satisfied: open.length === 0,
      reason: reasons.join('; '),
      ...(open.length > 0 && !refuted && { undetermined: true }),
      ...(seen.length > 0 && { seen }),
      ...(kept.length > 0 && { kept }),
      ...(notes.length > 0 && { note: { guards: notes } }),
    };
  },
});
