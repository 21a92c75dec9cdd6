import type { Context } from '../../kernel/context.ts';
import { type Definition, type Event, type GuardReference, guardName, guardSpec } from '../definition/definition.ts';
import { validApprovals } from '../approval/approval.ts';
import { type GuardCase, judgeTransitions } from '../run/evaluate.ts';
import type { Evidence } from '../guard.ts';
import { type JudgedTransition, transitionsFor } from '../run/machine.ts';
import { admits, roleFault } from '../definition/role.ts';
import type { HeldArtifact, Run, Snapshot } from '../run/runs.ts';
import { createKeeper } from '../evidence/kept-bytes.ts';
import { phrase } from '../phrase.ts';
import { settings } from '../settings.ts';

export function standingEvidence(snapshot: Snapshot): Evidence {
  return {
    context: snapshot.run.context,
    artifacts: snapshot.artifacts,
    approvals: validApprovals(snapshot.approvals, snapshot.artifacts),
    submitters: submittersOf(snapshot.artifacts),
  };
}

export function submittersOf(artifacts: readonly HeldArtifact[]): ReadonlySet<string> {
  return new Set(artifacts.map((one) => one.actor));
}

export interface EventView {
  readonly event: Event;
  readonly judged: readonly JudgedTransition[];
  readonly legalHere: boolean;
  readonly roleAdmitted: boolean;
}

function subjectOf(context: Context, snapshot: Snapshot, evidence: Evidence): GuardCase {
  return {
    run: snapshot.run,
    ignored: new Map(),
    keeper: createKeeper(settings.of(context).gate.maxArtifactBytes),
    evidence,
    deciding: false,
  };
}

/** Evaluates the transitions of an event that is not possible in the current state. */
export async function viewImpossibleEvent(
  context: Context,
  snapshot: Snapshot,
  event: string,
): Promise<readonly JudgedTransition[]> {
  // Approvals count only in the state in which they were given.
  const evidence = { ...standingEvidence(snapshot), approvals: [] };
  const transitions = snapshot.run.definition.transitions.filter((one) => one.event === event);
  return judgeTransitions(context, subjectOf(context, snapshot, evidence), transitions);
}

/** Lists every event of the process with its evaluated transitions from this state. */
export async function viewEvents(context: Context, snapshot: Snapshot): Promise<readonly EventView[]> {
  const { run } = snapshot;
  const subject = subjectOf(context, snapshot, standingEvidence(snapshot));
  const views: EventView[] = [];
  for (const event of run.definition.events) {
    const here = run.aborted === null ? transitionsFor(run.definition, run.state, event.name) : [];
    const admitted = here.filter((one) => admits(one.allowed_roles, context.actor.role));
    const eventAdmits = roleFault(run.definition, event, context.actor.role) === undefined;
    views.push({
      event,
      judged: await judgeTransitions(context, subject, here),
      legalHere: here.length > 0,
      roleAdmitted: eventAdmits && (here.length === 0 || admitted.length > 0),
    });
  }
  return views;
}

export function legalStates(definition: Definition, event: string): readonly string[] {
  return [...new Set(definition.transitions.filter((one) => one.event === event).map((one) => one.from))];
}

interface MissingGuard {
  readonly guard_name: string;
  readonly description: string;
  readonly current_status: string;
}

/** Lists the unsatisfied guards of the transitions out of this state, each once. */
export function missingGuards(context: Context, run: Run, views: readonly EventView[]): readonly MissingGuard[] {
  const missing = new Map<string, MissingGuard>();
  for (const { judged } of views) {
    for (const { verdicts } of judged) {
      for (const { guard, verdict } of verdicts) {
        const name = guardName(guard);
        if (verdict.satisfied || missing.has(name + verdict.reason)) continue;
        missing.set(name + verdict.reason, {
          guard_name: name,
          description: guardDescription(context, run.definition, guard),
          current_status: verdict.reason,
        });
      }
    }
  }
  return [...missing.values()];
}

function guardDescription(context: Context, definition: Definition, reference: GuardReference): string {
  const spec = guardSpec(definition, reference);
  return (
    spec?.description ?? context.say(phrase.guardDescription({ guard: guardName(reference), type: spec?.type ?? '' }))
  );
}

/** Lists the transitions out of a run's state and the unsatisfied guards of each. */
export async function describeWaysOut(context: Context, snapshot: Snapshot) {
  const views = await viewEvents(context, snapshot);
  return views
    .filter((one) => one.legalHere)
    .flatMap(({ event, judged, roleAdmitted }) =>
      judged.map(({ transition, verdicts }) => ({
        event: event.name,
        to: transition.to,
        is_yours: roleAdmitted,
        guards: verdicts.map(({ guard, verdict }) => ({
          name: guardName(guard),
          is_satisfied: verdict.satisfied,
          is_pending: verdict.undetermined === true,
          reason: verdict.reason,
        })),
      })),
    );
}
