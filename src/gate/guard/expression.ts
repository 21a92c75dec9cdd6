import * as z from 'zod';
import { checkExpression, evaluateExpression, expressionVariables } from '../definition/expression.ts';
import { defineGuard, guardParameters, satisfied, leaveUndecided, failGuard } from '../guard.ts';
import { phrase } from '../phrase.ts';

/** A CEL expression over `context` and `artifacts`. It is interpreted, so it cannot reach JavaScript. */
export const expression = defineGuard({
  type: 'expression',
  parameters: guardParameters('expression', {
    expression: z
      .string()
      .min(1)
      .superRefine((text, issues) => {
        const fault = checkExpression(text);
        if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault });
      }),
  }),
  variables: (spec) => expressionVariables(spec.expression),
  check(spec, look) {
    const result = evaluateExpression(spec.expression, look.evidence);
    if (result === true) return satisfied;
    const outcome = typeof result === 'function' ? look.say(result) : String(result);
    const why = phrase.guardExpression({ expression: spec.expression, outcome });
    return result === false ? failGuard(look, why) : leaveUndecided(look, why);
  },
});
