import { guardName } from '../definition/definition.ts';
import { defineGuard, guardParameters, guardReference, satisfied, failGuard } from '../guard.ts';
import { phrase } from '../phrase.ts';

export const not = defineGuard({
  type: 'not',
  parameters: guardParameters('not', { guard: guardReference }),
  children: (spec) => [spec.guard],
  async check(spec, look) {
    const verdict = await look.evaluate(spec.guard);
    if (verdict.undetermined === true) return verdict;
    const note = {
      ...(verdict.note !== undefined && { note: verdict.note }),
      ...(verdict.kept !== undefined && { kept: verdict.kept }),
    };
    const opposite = verdict.satisfied ? failGuard(look, phrase.guardNot({ guard: guardName(spec.guard) })) : satisfied;
    return { ...opposite, ...note };
  },
});
