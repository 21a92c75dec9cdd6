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

/** The evidence of a run with its current files. A person who answers now answers for exactly this. */
export interface CurrentEvidence {
  /** Submitted artifacts, with files that guards find themselves in place of earlier versions. */
  readonly artifacts: readonly HeldArtifact[];
  /** The files among them that guards find themselves, including the difference of the work tree. */
  readonly found: readonly Artifact[];
  /** Holds the bytes of the files that guards found. */
  readonly keeper: Keeper;
  /** Reads the work tree once, so that all parts of one answer share the same difference. */
  readonly difference: () => Promise<Difference>;
}

interface EvidenceOptions {
  /** The run's artifacts, including those that the event itself submits. */
  readonly artifacts?: readonly HeldArtifact[];
  readonly keeper?: Keeper;
}

/** Reads the evidence of an answer. Every surface uses it, so people decide about exactly what they are shown. */
export async function readCurrentEvidence(
  context: Context,
  snapshot: Snapshot,
  given: EvidenceOptions = {},
): Promise<CurrentEvidence> {
  const { run } = snapshot;
  const { definition } = run;
  const held = given.artifacts ?? snapshot.artifacts;
  const keeper = given.keeper ?? createKeeper(settings.of(context).gate.maxArtifactBytes);
  const difference = once(() => readDifference(context, run));
  // Some guards look at files only after others are satisfied, so evaluate them with this person's approval counted.
  const mine = { actor: approverId(context.actor), role: context.actor.role };
  const yes = approvingEvents(definition).map((event) => ({ event, ...mine }));
  const evidence = {
    context: run.context,
    artifacts: held,
    approvals: [...validApprovals(snapshot.approvals, held), ...yes],
    submitters: submittersOf(held),
  };
  const subject = { run, keeper, evidence, ignored: new Map(), difference };
  const judged = await judgeTransitions(context, { ...subject, deciding: false }, answerableWays(definition, run));
  const shown = run.here && !run.isFinal && isShownIn(definition, run.state) ? await difference() : undefined;
  if (shown !== undefined && 'bytes' in shown) keeper.add(shown.bytes);
  const found = [
    ...filesFoundByGuards(judged),
    ...(shown !== undefined && 'artifact' in shown ? [shown.artifact] : []),
  ];
  // Sorted by path, so that the order does not depend on which file changed; the difference comes first.
  const artifacts = mergeArtifacts(held, found, gateActor).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { artifacts, found, keeper, difference };
}

/** Lists the transitions out of the state that approve or reject, or whose guards count approvals. */
function answerableWays(definition: Definition, { state, isFinal }: Run): readonly Transition[] {
  if (isFinal) return [];
  return definition.transitions.filter(
    (one) =>
      one.from === state && (isJudgement(definition, one.event) || countedIn(one.guards, definition.guards).length > 0),
  );
}
