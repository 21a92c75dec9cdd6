import * as z from 'zod';
import { checkExpression, evaluateExpression, expressionVariables } from '../definition/expression.ts';
import { defineGuard, satisfied } from '../guard.ts';
import { phrase } from '../phrase.ts';

/** A CEL expression over `context` and `artifacts`. It is interpreted, so it cannot reach JavaScript. */
export const expression = defineGuard({
  type: 'expression',
  parameters: z.strictObject({
    type: z.literal('expression'),
    description: z.string().optional(),
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
    return {
      satisfied: false,
      ...(result !== false && { undetermined: true }),
      reason: look.say(
        phrase.guardExpression({
          expression: spec.expression,
          outcome: typeof result === 'function' ? look.say(result) : String(result),
        }),
      ),
    };
  },
});
