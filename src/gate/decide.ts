import type { Context } from '../kernel/context.ts';
import type { FieldError } from '../kernel/problem.ts';
import { Problem } from '../kernel/problem.ts';
import { readArtifact } from './artifacts.ts';
import type { Definition, Event, Transition } from './definition.ts';
import { findEvent, guardName } from './definition.ts';
import { judge } from './evaluate.ts';
import type { Artifact, Evidence } from './guard.ts';
import { validateJson } from './json-schema.ts';
import type { Judged, Position } from './machine.ts';
import { advance, choose, mergeContext, transitionsFor } from './machine.ts';
import { admits, roleFault } from './role.ts';
import { person } from './person.ts';
import type { HeldArtifact, Run, Snapshot } from './runs.ts';
import { approvalEvents } from './runs.ts';
import { legalStates, submittersOf } from './view.ts';

export interface EmitRequest {
  readonly runId: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly expectedRevision: number;
  readonly key: string;
  readonly paths: readonly string[];
}

const maxPayloadBytes = 100 * 1024;

export interface Decision {
  readonly next: Position;
  readonly brought: readonly Artifact[];
  readonly notes: readonly object[];
}

/** Every check in the order that the contract gives; throws the first refusal. */
export async function decide(context: Context, snapshot: Snapshot, request: EmitRequest): Promise<Decision> {
  const { run } = snapshot;
  const { definition } = run;
  const event = findEvent(definition, request.event);
  if (event === undefined) throw invalidEvent(definition, request.event, undefined, run.state);
  const fault = roleFault(definition, event, context.actor.role);
  if (fault !== undefined)
    throw new Problem('FORBIDDEN', { kind: 'event', role: context.actor.role, event: event.name, by: fault });
  const here = transitionsFor(definition, run.state, event.name);
  if (here.length === 0) throw invalidEvent(definition, event.name, run.state, run.state);
  const open = here.filter((one) => admits(one.allowed_roles, context.actor.role));
  if (open.length === 0)
    throw new Problem('FORBIDDEN', { kind: 'event', role: context.actor.role, event: event.name, by: 'transition' });

  const { merged, files } = await checkEvidence(context, run, event, request);
  if (run.revision !== request.expectedRevision) throw conflict(context, request.expectedRevision, run.revision);

  const artifacts = withNew(snapshot.artifacts, files, person(context.actor));
  const evidence = evidenceFor(context, snapshot, event, merged, artifacts, files);
  const judged = await judge(context, { definition, digest: run.digest, evidence, deciding: true }, open);
  const chosen = choose(judged);
  const seen = chosen?.verdicts.flatMap(({ verdict }) => verdict.seen ?? []) ?? [];
  const brought = newFiles(snapshot.artifacts, [...files, ...seen]);
  const notes = judged.flatMap(({ verdicts }) =>
    verdicts.flatMap(({ guard, verdict }) =>
      verdict.note === undefined ? [] : [{ guard: guardName(guard), ...verdict.note }],
    ),
  );
  if (chosen !== undefined)
    return { next: advance(definition, run, chosen.transition.to, merged, brought.length > 0), brought, notes };
  // Evidence is kept even where it does not suffice yet. The payload is not: it was offered for a transition that did not happen.
  if (brought.length > 0 || isNewApproval(context, snapshot, event, open)) {
    return { next: advance(definition, run, run.state, run.context, brought.length > 0), brought, notes };
  }
  const missing = describeMissing(judged);
  throw new Problem(
    'GUARD_FAILED',
    { missing },
    { missing_guards: missing, current_revision: run.revision, next_step: context.say('guard.next', {}) },
  );
}

async function checkEvidence(
  context: Context,
  run: Run,
  event: Event,
  request: EmitRequest,
): Promise<{ merged: Readonly<Record<string, unknown>>; files: readonly Artifact[] }> {
  const bytes = Buffer.byteLength(JSON.stringify(request.payload));
  if (bytes > maxPayloadBytes)
    throw invalid([{ path: '/payload', message: context.say('payload.too_large', { bytes, limit: maxPayloadBytes }) }]);
  const errors: FieldError[] = [];
  const under = (prefix: string, found: readonly FieldError[]) =>
    errors.push(...found.map((one) => ({ path: one.path === '/' ? prefix : prefix + one.path, message: one.message })));
  if (event.payload_schema !== undefined) under('/payload', validateJson(event.payload_schema, request.payload));
  const merged = mergeContext(run.definition, event, run.context, request.payload);
  if (errors.length === 0 && run.definition.context_schema !== undefined && merged !== run.context)
    under('/context', validateJson(run.definition.context_schema, merged));
  const files = new Map<string, Artifact>();
  for (const [index, path] of request.paths.entries()) {
    const file = await readArtifact(context.project.root, path, run.definition);
    if (typeof file === 'string')
      errors.push({ path: `/artifact_paths/${index}`, message: context.say('artifact.fault', { path, fault: file }) });
    else files.set(file.path, file);
  }
  if (errors.length > 0) throw invalid(errors);
  return { merged, files: [...files.values()] };
}

function evidenceFor(
  context: Context,
  snapshot: Snapshot,
  event: Event,
  merged: Readonly<Record<string, unknown>>,
  artifacts: readonly HeldArtifact[],
  files: readonly Artifact[],
): Evidence {
  const mine = { event: event.name, actor: person(context.actor), role: context.actor.role };
  // New files make earlier approvals worthless: they were given for something else.
  const earlier = newFiles(snapshot.artifacts, files).length > 0 ? [] : snapshot.approvals;
  return { context: merged, artifacts, approvals: [...earlier, mine], submitters: submittersOf(artifacts) };
}

/** An approval is evidence too: one of two that are needed must be kept until the second comes. */
function isNewApproval(context: Context, snapshot: Snapshot, event: Event, open: readonly Transition[]): boolean {
  const counted = approvalEvents(
    snapshot.run.definition,
    open.flatMap((one) => one.guards),
  );
  if (!counted.includes(event.name)) return false;
  const who = person(context.actor);
  return (
    !submittersOf(snapshot.artifacts).has(who) &&
    !snapshot.approvals.some((one) => one.event === event.name && one.actor === who)
  );
}

function newFiles(held: readonly HeldArtifact[], files: readonly Artifact[]): readonly Artifact[] {
  const known = new Map(held.map((one) => [one.path, one]));
  const fresh = new Map<string, Artifact>();
  for (const file of files) {
    const before = known.get(file.path);
    if (before?.digest !== file.digest) fresh.set(file.path, { ...file, version: (before?.version ?? 0) + 1 });
  }
  return [...fresh.values()];
}

function withNew(held: readonly HeldArtifact[], files: readonly Artifact[], actor: string): readonly HeldArtifact[] {
  const fresh = newFiles(held, files);
  const replaced = new Set(fresh.map((one) => one.path));
  return [...held.filter((one) => !replaced.has(one.path)), ...fresh.map((one) => ({ ...one, actor }))];
}

function describeMissing(judged: readonly Judged[]): readonly string[] {
  const open = judged.flatMap(({ verdicts }) => verdicts.filter(({ verdict }) => !verdict.satisfied));
  return [...new Set(open.map(({ guard, verdict }) => `${guardName(guard)}: ${verdict.reason}`))];
}

export function invalid(errors: readonly FieldError[]): Problem {
  return new Problem('INVALID_PAYLOAD', { errors }, { validation_errors: errors });
}

function conflict(context: Context, expected: number, current: number): Problem {
  return new Problem(
    'REVISION_CONFLICT',
    { expected, current },
    { current_revision: current, next_step: context.say('conflict.next', {}) },
  );
}

function invalidEvent(definition: Definition, event: string, state: string | undefined, current: string): Problem {
  const possible = [...new Set(definition.transitions.filter((one) => one.from === current).map((one) => one.event))];
  const legalIn = legalStates(definition, event);
  return new Problem(
    'INVALID_EVENT',
    { event, state, legal_in: legalIn, possible },
    { current_state: current, possible_events: possible, legal_in: legalIn },
  );
}
