import type { Context } from '../../kernel/context.ts';
import { valueUnlessProblem } from '../../kernel/problem.ts';
import { personRole } from '../../kernel/role.ts';
import { admitEvent } from '../run/admission.ts';
import { isNewApproval, validApprovals, waysThatCount } from './approval.ts';
import type { CurrentEvidence } from '../evidence/current-evidence.ts';
import { judgeTransitions } from '../run/evaluate.ts';
import type { JudgedTransition } from '../run/machine.ts';
import { describeMissing, guardProblem } from '../view/missing.ts';
import { approverId } from '../run/approver.ts';
import type { Snapshot } from '../run/runs.ts';
import { submittersOf } from '../view/events.ts';
import { countedIn } from '../guards.ts';
import { problem } from '../problem.ts';

export type Verdict = 'approve' | 'reject';

/** A preview of an approval or rejection. It runs no program and writes nothing. */
export interface Review {
  /** Guards that stay unsatisfied after the answer, as `name: reason`, without those evaluated only on emit. */
  readonly missing: readonly string[];
}

/** Returns the context with the role `reviewer`, unless the person has chosen another role. */
export function asReviewer(context: Context): Context {
  const { role } = context.actor;
  return { ...context, actor: { ...context.actor, role: role === personRole ? 'reviewer' : role } };
}

/** Previews an answer. Throws if it would change nothing: the refusal that it would get, or NOTHING_TO_APPROVE. */
export async function review(
  reviewer: Context,
  snapshot: Snapshot,
  event: Verdict,
  { artifacts, keeper, difference }: CurrentEvidence,
): Promise<Review> {
  const { run, artifacts: held } = snapshot;
  const { definition } = run;
  const { open } = admitEvent(reviewer, run, event);
  const mine = { event, actor: approverId(reviewer.actor), role: reviewer.actor.role };
  const submitters = submittersOf(held);
  const counting = submitters.has(mine.actor) ? [] : waysThatCount(definition, run.state, mine);
  const ways = [...new Set([...counting, ...open])];
  const earlier = validApprovals(snapshot.approvals, artifacts);
  const judgeWith = (more: readonly (typeof mine)[]) =>
    judgeTransitions(
      reviewer,
      {
        run,
        keeper,
        ignored: new Map(),
        evidence: { context: run.context, artifacts: held, approvals: [...earlier, ...more], submitters },
        deciding: false,
        difference,
      },
      ways,
    );
  const judged = await judgeWith([mine]);
  const missing = describeMissing(judged.map(withoutPending));
  const tried = judged.filter(({ transition }) => open.includes(transition));
  const mayPass = tried.filter((one) => withoutPending(one).verdicts.every(({ verdict }) => verdict.satisfied));
  if (event === 'reject') {
    if (mayPass.length === 0) throw guardProblem(reviewer, run, tried);
    return { missing };
  }
  const asked = (await judgeWith([])).filter((one) => counting.includes(one.transition)).some(asksFor);
  const adds = asked && isNewApproval(definition, mine, earlier, counting);
  // The approval is recorded for a later decision, or it moves the run now.
  const isKept = adds && (mayPass.length > 0 || isNewApproval(definition, mine, earlier, open));
  if (isKept || mayPass.some(({ transition }) => transition.to !== run.state)) return { missing };
  if (mayPass.length === 0) throw guardProblem(reviewer, run, tried);
  throw problem.NOTHING_TO_APPROVE({ run_id: run.id, state: run.state, given: asked });

  function asksFor({ verdicts }: JudgedTransition): boolean {
    const unmet = verdicts.filter(({ verdict }) => !verdict.satisfied).map(({ guard }) => guard);
    return countedIn(unmet, definition.guards).some((one) => one.event === event);
  }
}

/** Like `review`, but returns undefined if the run would refuse the answer. */
export function findReview(...args: Parameters<typeof review>): Promise<Review | undefined> {
  return valueUnlessProblem(review(...args));
}

/** Drops undetermined verdicts: command and worktree guards are evaluated only when the event is emitted. */
function withoutPending({ transition, verdicts }: JudgedTransition): JudgedTransition {
  return { transition, verdicts: verdicts.filter(({ verdict }) => verdict.undetermined !== true) };
}
