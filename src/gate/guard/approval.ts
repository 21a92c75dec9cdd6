import * as z from 'zod';
import { approveCommand } from '../definition/person-command.ts';
import { defineGuard, guardParameters, satisfied, leaveUndecided, failGuard } from '../guard.ts';
import { phrase } from '../phrase.ts';

/** Enough distinct people have approved the current evidence, and none of them submitted it. */
export const approval = defineGuard({
  type: 'approval',
  parameters: guardParameters('approval', {
    role: z.string().min(1).optional(),
    event: z.string().min(1).default('approve'),
    min_count: z.int().min(1).default(1),
    difference: z.boolean().default(false),
  }),
  counts: (spec) => [{ event: spec.event, role: spec.role }],
  needsFiles: (spec) => spec.difference,
  showsDifference: (spec) => spec.difference,
  async check(spec, look) {
    const shown = spec.difference ? await look.difference() : undefined;
    if (shown !== undefined && 'fault' in shown) return leaveUndecided(look, phrase.guardNoDifference(shown));
    const seen = shown === undefined ? {} : { seen: [shown] };
    const { approvals, submitters } = look.evidence;
    const given = approvals.filter(
      (one) => one.event === spec.event && (spec.role === undefined || one.role === spec.role),
    );
    const people = new Set(given.map((one) => one.actor));
    const counted = [...people].filter((person) => !submitters.has(person)).length;
    if (counted >= spec.min_count) return { ...satisfied, ...seen };
    const why = phrase.guardApproval({
      role: spec.role ?? '*',
      current: counted,
      required: spec.min_count,
      own: people.size - counted,
      command: approveCommand({ event: spec.event, role: spec.role }) ?? '',
    });
    return { ...seen, ...failGuard(look, why) };
  },
});
