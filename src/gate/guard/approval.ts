import * as z from 'zod';
import { approveCommand } from '../definition/person-command.ts';
import { defineGuard, satisfied } from '../guard.ts';
import { phrase } from '../phrase.ts';

/** Distinct people have said yes to the evidence as it stands, and none of them handed it in. */
export const approval = defineGuard({
  type: 'approval',
  parameters: z.strictObject({
    type: z.literal('approval'),
    description: z.string().optional(),
    role: z.string().min(1).optional(),
    event: z.string().min(1).default('approve'),
    min_count: z.int().min(1).default(1),
  }),
  counts: (spec) => [{ event: spec.event, role: spec.role }],
  check(spec, look) {
    const { approvals, submitters } = look.evidence;
    const given = approvals.filter(
      (one) => one.event === spec.event && (spec.role === undefined || one.role === spec.role),
    );
    const people = new Set(given.map((one) => one.actor));
    const counted = [...people].filter((person) => !submitters.has(person)).length;
    if (counted >= spec.min_count) return satisfied;
    const own = people.size - counted;
    return {
      satisfied: false,
      reason: look.say(
        phrase.guardApproval({
          role: spec.role ?? '*',
          current: counted,
          required: spec.min_count,
          own,
          command: approveCommand({ event: spec.event, role: spec.role }) ?? '',
        }),
      ),
    };
  },
});
