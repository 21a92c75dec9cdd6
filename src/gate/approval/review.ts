import type { Context } from '../../kernel/context.ts';
import { isProblem } from '../../kernel/problem.ts';
import { personRole } from '../../kernel/role.ts';
import { admitEvent } from '../run/admission.ts';
import { isNewApproval, validApprovals, waysThatCount } from './approval.ts';
import type { CurrentEvidence } from '../evidence/current-evidence.ts';
import { judgeTransitions } from '../run/evaluate.ts';
import type { Judged } from '../run/machine.ts';
import { describeMissing, guardFailed } from '../view/missing.ts';
import { approverId } from '../run/approver.ts';
import type { Snapshot } from '../run/runs.ts';
import { submittersOf } from '../view/events.ts';
import { countedIn } from '../guards.ts';
import { problem } from '../problem.ts';

export type Verdict = 'approve' | 'reject';

/** What an answer would change. Nothing was run and nothing is written. */
export interface Review {
  /** What is missing beside the answer, as `name: reason`; what only shows when it is decided is not among it. */
  readonly missing: readonly string[];
}

/** A reviewer, unless the person came as something else that may decide. */
export function asReviewer(context: Context): Context {
  const { role } = context.actor;
  return { ...context, actor: { ...context.actor, role: role === personRole ? 'reviewer' : role } };
}

/** Throws where the answer would change nothing: with the refusal that it would get, or because nothing waits for it. */
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
        definition,
        digest: run.digest,
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
    if (mayPass.length === 0) throw guardFailed(reviewer, run, tried);
    return { missing };
  }
  const asked = (await judgeWith([])).filter((one) => counting.includes(one.transition)).some(asksFor);
  const adds = asked && isNewApproval(definition, mine, earlier, counting);
  // A yes that is kept, or one that moves the run on.
  const isKept = adds && (mayPass.length > 0 || isNewApproval(definition, mine, earlier, open));
  if (isKept || mayPass.some(({ transition }) => transition.to !== run.state)) return { missing };
  if (mayPass.length === 0) throw guardFailed(reviewer, run, tried);
  throw problem.NOTHING_TO_APPROVE({ run_id: run.id, state: run.state, given: asked });

  function asksFor({ verdicts }: Judged): boolean {
    const unmet = verdicts.filter(({ verdict }) => !verdict.satisfied).map(({ guard }) => guard);
    return countedIn(unmet, definition.guards).some((one) => one.event === event);
  }
}

/** The same; undefined where the run would refuse the answer. */
export async function findReview(...args: Parameters<typeof review>): Promise<Review | undefined> {
  try {
    return await review(...args);
  } catch (error) {
    if (isProblem(error)) return undefined;
    throw error;
  }
}

/** Programs and the work tree are only looked at when the event is emitted: until then nothing speaks against it. */
function withoutPending({ transition, verdicts }: Judged): Judged {
  return { transition, verdicts: verdicts.filter(({ verdict }) => verdict.undetermined !== true) };
}
