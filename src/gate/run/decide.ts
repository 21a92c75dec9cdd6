import type { Context } from '../../kernel/context.ts';
import { once } from '../../base/once.ts';
import { Problem } from '../../kernel/problem.ts';
import { admitEvent } from './admission.ts';
import {
  type DigestedFile,
  digestsOf,
  evidenceChanges,
  isJudgement,
  isNewApproval,
  validApprovals,
  waysThatCount,
} from '../approval/approval.ts';
import { readArtifact } from '../evidence/artifacts.ts';
import { evidenceOfEvent, filesFoundByGuards, mergeArtifacts } from '../evidence/new-evidence.ts';
import { readCurrentEvidence } from '../evidence/current-evidence.ts';
import { type Event, guardName } from '../definition/definition.ts';
import { judgeTransitions } from './evaluate.ts';
import type { Approval, Artifact } from '../guard.ts';
import { type MergedContext, type Position, positionAfter, chooseTransition } from './machine.ts';
import { differencePath, isShownIn, readDifference } from '../evidence/difference.ts';
import { describeMissing, guardProblem, waitsForPerson } from '../view/missing.ts';
import { gateActor, isAgentId, approverId } from './approver.ts';
import type { HeldArtifact, Run, Snapshot } from './runs.ts';
import { checkSize, payloadProblem, mergePayload } from './payload.ts';
import { submittersOf } from '../view/events.ts';
import { type Keeper, createKeeper } from '../evidence/kept-bytes.ts';
import { phrase } from '../phrase.ts';
import { problem } from '../problem.ts';
import { settings } from '../settings.ts';

export interface EmitRequest {
  readonly runId: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly expectedRevision: number;
  readonly key: string;
  readonly paths: readonly string[];
  /** The evidence that the person was shown. The request is accepted only for exactly this evidence. */
  readonly evidence?: readonly DigestedFile[] | undefined;
  /**
   * The role of the person whose recorded answer the gate decides again where the files are. The event is then the gate's own:
   * it adds no approval, and it can only move the run.
   */
  readonly answeredAs?: string;
}

/** Returns the identity under which an event is recorded. */
export function emitterOf({ actor }: Pick<Context, 'actor'>, { answeredAs }: EmitRequest): string {
  return answeredAs === undefined ? approverId(actor) : gateActor;
}

export interface Decision {
  readonly next: Position;
  readonly brought: readonly HeldArtifact[];
  readonly notes: readonly object[];
  /** Keys of the payload that did not enter the context. */
  readonly ignored: MergedContext['ignored'];
  /** Unsatisfied guards as `name: reason`; empty if a transition happened. */
  readonly missing: readonly string[];
  /** The approval that a person has to give, and how; null if the run does not wait for one. */
  readonly waits: string | null;
  /** Holds the content that guards looked at. `kept` lists the digests to store. */
  readonly keeper: Keeper;
  readonly kept: readonly string[];
  /** All of the run's evidence after this event. */
  readonly evidence: readonly DigestedFile[];
}

/** Decides about an event. Runs every check in the order of the contract and throws the first refusal. */
export async function decideEvent(context: Context, snapshot: Snapshot, request: EmitRequest): Promise<Decision> {
  const { run } = snapshot;
  const { definition } = run;
  const { answeredAs } = request;
  const { event, open } =
    answeredAs === undefined
      ? admitEvent(context, run, request.event)
      : admitAnswer(context, run, request.event, answeredAs);

  const keeper = createKeeper(settings.of(context).gate.maxArtifactBytes);
  const { merged, ignored, files } = await checkEvidence(context, run, event, request, keeper);
  if (run.revision !== request.expectedRevision) throw conflict(context, snapshot, request);

  const held = snapshot.artifacts;
  const mine = { event: event.name, actor: emitterOf(context, request), role: context.actor.role };
  const isPersons = !isAgentId(mine.actor) && answeredAs === undefined;
  const artifacts = mergeArtifacts(held, files, mine.actor);
  const submitters = submittersOf(artifacts);
  // Agents cannot approve, and no one can approve evidence that they submitted.
  const counts = isPersons && !submitters.has(mine.actor);
  // A person's answer covers the files that the gate finds now, including files that only other transitions look at.
  const answers = isJudgement(definition, event.name) && isPersons;
  const current = answers ? await readCurrentEvidence(context, snapshot, { artifacts, keeper }) : undefined;
  const difference = current?.difference ?? once(() => readDifference(context, run));
  const { artifacts: shownNow, found } = current ?? { artifacts, found: [] };
  checkShown(request, shownNow);
  const judgeWith = (earlier: readonly Approval[]) => {
    const approvals = isPersons ? [...earlier, mine] : earlier;
    const evidence = { context: merged, artifacts, approvals, submitters };
    const subject = { run, keeper, evidence, ignored, difference };
    return judgeTransitions(context, { ...subject, deciding: true }, open);
  };
  const counting = counts ? waysThatCount(definition, run.state, mine) : [];
  const bound = counting.length === 0 ? artifacts : shownNow;
  let earlier = validApprovals(snapshot.approvals, bound);
  let judged = await judgeWith(earlier);
  let chosen = chooseTransition(judged);
  let seen = filesFoundByGuards(chosen === undefined ? [] : [chosen]);
  const left = validApprovals(earlier, mergeArtifacts(bound, seen, gateActor));
  if (left.length < earlier.length) {
    // Some approvals were given for other content than the gate found. Record what it found, for the approvals that follow.
    earlier = left;
    judged = await judgeWith(earlier);
    chosen = chooseTransition(judged);
    seen = [...seen, ...filesFoundByGuards(chosen === undefined ? [] : [chosen])];
  }
  // An approval that a guard counts is evidence too: with two required, the first is kept until the second arrives.
  const approves = chosen === undefined && counts && isNewApproval(definition, mine, earlier, open);
  // A rejection is recorded with the difference that it was given for. Other files become evidence only by an approval, since
  // they could satisfy guards.
  const recorded = counting.length > 0 ? found : found.filter((one) => one.path === differencePath);
  if (chosen !== undefined || approves) seen = [...seen, ...recorded];
  const evident = evidenceOfEvent(held, mine.actor, files, seen);
  const after = [...held.filter((one) => !evident.some(({ path }) => path === one.path)), ...evident];
  if (evident.length > 0) checkShown(request, mergeArtifacts(after, found, gateActor));
  // Record the difference now: the next approver may be on a machine without the files.
  const to = chosen?.transition.to ?? run.state;
  const shown = to !== run.state && run.here && isShownIn(definition, to) ? await difference() : undefined;
  const ahead = shown === undefined || 'fault' in shown ? [] : [(keeper.add(shown.bytes), shown.artifact)];
  const brought = evidenceOfEvent(held, mine.actor, files, [...seen, ...ahead]);
  const notes = judged.flatMap(({ verdicts }) =>
    verdicts.flatMap(({ guard, verdict }) =>
      verdict.note === undefined ? [] : [{ guard: guardName(guard), ...verdict.note }],
    ),
  );
  const kept = [
    ...brought.map((one) => one.digest),
    ...judged.flatMap(({ verdicts }) => verdicts.flatMap(({ verdict }) => verdict.kept ?? [])),
  ];
  const evidence = digestsOf(mergeArtifacts(after, found, gateActor));
  const decided = { brought, notes, keeper, kept, ignored, missing: [], waits: null, evidence };
  if (chosen !== undefined) {
    const next = positionAfter(definition, run, chosen.transition.to, merged);
    return { next, ...decided, waits: waitsForPerson(context, { ...run, ...next }, []) };
  }
  // Keep evidence that is not sufficient yet, but not the payload, which was meant for a transition that did not happen.
  const missing = describeMissing(judged);
  if (brought.length > 0 || approves) {
    const next = positionAfter(definition, run, run.state, run.context);
    const unused = new Map(
      Object.keys(request.payload).map((key) => [key, ignored.get(key) ?? ('not_moved' as const)]),
    );
    const waits = waitsForPerson(context, { ...run, revision: next.revision }, judged);
    return { next, ...decided, ignored: unused, missing, waits };
  }
  throw guardProblem(context, run, judged);
}

/** Returns the event and the transitions that the person was admitted to, as far as they lead out of the state. */
function admitAnswer(context: Context, run: Run, event: string, role: string): ReturnType<typeof admitEvent> {
  const admitted = admitEvent({ ...context, actor: { ...context.actor, role, person: true } }, run, event);
  return { ...admitted, open: admitted.open.filter((one) => one.to !== run.state) };
}

/** Throws if the evidence differs from what the person was shown. */
function checkShown({ evidence, runId }: EmitRequest, now: readonly HeldArtifact[]): void {
  const changes = evidence === undefined ? [] : evidenceChanges(evidence, now);
  if (changes.length > 0) throw problem.EVIDENCE_CHANGED({ run_id: runId, changes }, { run_id: runId, changes });
}

async function checkEvidence(
  context: Context,
  run: Run,
  event: Event,
  request: EmitRequest,
  keeper: Keeper,
): Promise<{
  merged: Readonly<Record<string, unknown>>;
  ignored: MergedContext['ignored'];
  files: readonly Artifact[];
}> {
  checkSize(context, '/payload', request.payload);
  const {
    context: merged,
    ignored,
    errors: found,
  } = mergePayload(run.definition, event, run.context, request.payload, context.say);
  const errors = [...found];
  const files = new Map<string, Artifact>();
  for (const [index, path] of request.paths.entries()) {
    const file = run.here ? await readArtifact(context, run, path) : 'elsewhere';
    if (typeof file === 'string' || file.isHardLinked) {
      const fault = typeof file === 'string' ? file : 'hard_linked';
      errors.push({
        path: `/artifact_paths/${index}`,
        message: context.say(phrase.artifactFault({ path, fault, limit: settings.of(context).gate.maxArtifactBytes })),
      });
    } else {
      files.set(file.artifact.path, file.artifact);
      if (file.bytes !== undefined) keeper.add(file.bytes);
    }
  }
  if (errors.length > 0) throw payloadProblem(errors);
  return { merged, ignored, files: [...files.values()] };
}

function conflict(context: Context, { run, artifacts }: Snapshot, request: EmitRequest): Problem {
  const { expectedRevision: expected, evidence } = request;
  if (evidence !== undefined) {
    // Files that the gate would only find later are not submitted yet, so their absence is not a change.
    const paths = new Set(artifacts.map((one) => one.path));
    checkShown({ ...request, evidence: evidence.filter((one) => paths.has(one.path)) }, artifacts);
  }
  const next =
    evidence === undefined ? phrase.conflictNext() : phrase.movedMeanwhile({ run_id: run.id, state: run.state });
  return problem.REVISION_CONFLICT(
    { expected, current: run.revision },
    { current_revision: run.revision, next_step: context.say(next) },
  );
}
