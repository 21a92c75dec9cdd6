import type { Context } from '../../kernel/context.ts';
import { once } from '../../base/once.ts';
import type { Definition, Transition } from '../definition/definition.ts';
import type { Artifact } from '../guard.ts';
import { countedIn } from '../guards.ts';
import { settings } from '../settings.ts';
import { approvingEvents, isJudgement, validApprovals } from '../approval/approval.ts';
import { filesFoundByGuards, mergeArtifacts } from './new-evidence.ts';
import { type Difference, isShownIn, readDifference } from './difference.ts';
import { judgeTransitions } from '../run/evaluate.ts';
import { type Keeper, createKeeper } from './kept-bytes.ts';
import { gateActor, approverId } from '../run/approver.ts';
import type { HeldArtifact, Run, Snapshot } from '../run/runs.ts';
import { submittersOf } from '../view/events.ts';

/** The evidence of a run as its files are now: what a person who answers now answers for. */
export interface CurrentEvidence {
  /** What was handed in, with what guards find by themselves in place of earlier versions. */
  readonly artifacts: readonly HeldArtifact[];
  /** The files among them that guards find by themselves, the difference of the work tree too. */
  readonly found: readonly Artifact[];
  /** Holds the bytes of what guards found. */
  readonly keeper: Keeper;
  /** Reads the work tree once: everything that belongs to one answer gets the same difference. */
  readonly difference: () => Promise<Difference>;
}

interface Given {
  /** The run's artifacts with those that the event itself hands in. */
  readonly artifacts?: readonly HeldArtifact[];
  readonly keeper?: Keeper;
}

/**
 * Reads what an answer is for. The page, the terminal and the decision all use this function, and it does not depend on whether
 * the answer is yes or no: otherwise somebody would be shown one thing and decide about another.
 */
export async function readCurrentEvidence(
  context: Context,
  snapshot: Snapshot,
  given: Given = {},
): Promise<CurrentEvidence> {
  const { run } = snapshot;
  const { definition } = run;
  const held = given.artifacts ?? snapshot.artifacts;
  const keeper = given.keeper ?? createKeeper(settings.of(context).gate.maxArtifactBytes);
  const difference = once(() => readDifference(context, run, definition));
  // Some guards only look at files once others are satisfied: they see what they will see after this person's yes.
  const mine = { actor: approverId(context.actor), role: context.actor.role };
  const yes = approvingEvents(definition).map((event) => ({ event, ...mine }));
  const evidence = {
    context: run.context,
    artifacts: held,
    approvals: [...validApprovals(snapshot.approvals, held), ...yes],
    submitters: submittersOf(held),
  };
  const subject = { definition, digest: run.digest, run, keeper, evidence, ignored: new Map(), difference };
  const judged = await judgeTransitions(context, { ...subject, deciding: false }, answerableWays(definition, run));
  const shown = run.here && !run.isFinal && isShownIn(definition, run.state) ? await difference() : undefined;
  if (shown !== undefined && 'bytes' in shown) keeper.add(shown.bytes);
  const found = [
    ...filesFoundByGuards(judged),
    ...(shown !== undefined && 'artifact' in shown ? [shown.artifact] : []),
  ];
  // In one order whichever of them changed, the difference first.
  const artifacts = mergeArtifacts(held, found, gateActor).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { artifacts, found, keeper, difference };
}

/** The ways out of the state that an answer takes, or whose guards count answers. */
function answerableWays(definition: Definition, { state, isFinal }: Run): readonly Transition[] {
  if (isFinal) return [];
  return definition.transitions.filter(
    (one) =>
      one.from === state && (isJudgement(definition, one.event) || countedIn(one.guards, definition.guards).length > 0),
  );
}
