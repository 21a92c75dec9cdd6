import type { Context } from '../../kernel/context.ts';
import type { FieldError } from '../../kernel/problem.ts';
import { Problem } from '../../kernel/problem.ts';
import { readArtifact } from './artifacts.ts';
import type { Definition, Event, Transition } from '../definition/definition.ts';
import { findEvent, guardName } from '../definition/definition.ts';
import { judge } from './evaluate.ts';
import type { Approval, Artifact } from '../guard.ts';
import { validateJson } from '../definition/json-schema.ts';
import type { Judged, Merged, Position } from './machine.ts';
import { advance, choose, mergeContext, transitionsFor } from './machine.ts';
import { isPosing } from '../definition/agents-role.ts';
import { configuredAgentRoles } from '../../kernel/role.ts';
import { admits, roleFault } from '../definition/role.ts';
import { gateItself, isAgents, person } from './person.ts';
import type { HeldArtifact, Run, Snapshot } from './runs.ts';
import { countedIn } from '../guards.ts';
import { checkSize, invalid } from './payload.ts';
import { legalStates, submittersOf } from './view.ts';
import type { Keeper } from './kept-bytes.ts';
import { createKeeper } from './kept-bytes.ts';
import { phrase, problem, refusal } from '../problem.ts';
import { settings } from '../settings.ts';

export interface EmitRequest {
  readonly runId: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly expectedRevision: number;
  readonly key: string;
  readonly paths: readonly string[];
}

export interface Decision {
  readonly next: Position;
  readonly brought: readonly HeldArtifact[];
  readonly notes: readonly object[];
  /** Keys of the payload that did not enter the context. */
  readonly ignored: Merged['ignored'];
  /** What is still missing, as `name: reason`; empty where a transition happened. */
  readonly missing: readonly string[];
  /** What was looked at, and which of it has to be kept. */
  readonly keeper: Keeper;
  readonly kept: readonly string[];
}

/** Every check in the order that the contract gives; throws the first refusal. */
export async function decide(context: Context, snapshot: Snapshot, request: EmitRequest): Promise<Decision> {
  const { run } = snapshot;
  const { definition } = run;
  const event = findEvent(definition, request.event);
  if (event === undefined) throw invalidEvent(definition, request.event, undefined, run.state);
  const fault = isPosing(definition, context.actor, configuredAgentRoles.of(context))
    ? 'posing'
    : roleFault(definition, event, context.actor.role);
  if (fault !== undefined) throw refusal.event({ role: context.actor.role, event: event.name, by: fault });
  const here = transitionsFor(definition, run.state, event.name);
  if (here.length === 0) throw invalidEvent(definition, event.name, run.state, run.state);
  const open = here.filter((one) => admits(one.allowed_roles, context.actor.role));
  if (open.length === 0) throw refusal.event({ role: context.actor.role, event: event.name, by: 'transition' });

  const keeper = createKeeper(settings.of(context).gate.maxArtifactBytes);
  const { merged, ignored, files } = await checkEvidence(context, run, event, request, keeper);
  if (run.revision !== request.expectedRevision) throw conflict(context, request.expectedRevision, run.revision);

  const held = snapshot.artifacts;
  const mine = { event: event.name, actor: person(context.actor), role: context.actor.role };
  const artifacts = withNew(held, files, mine.actor);
  const judgeWith = (earlier: readonly Approval[]) => {
    const evidence = {
      context: merged,
      artifacts,
      approvals: isAgents(mine.actor) ? earlier : [...earlier, mine],
      submitters: submittersOf(artifacts),
    };
    return judge(context, { definition, digest: run.digest, run, keeper, evidence, ignored, deciding: true }, open);
  };
  // New files make earlier approvals worthless: they were given for something else.
  let earlier = newFiles(held, files).length > 0 ? [] : snapshot.approvals;
  let judged = await judgeWith(earlier);
  let chosen = choose(judged);
  let seen = seenBy(chosen === undefined ? [] : [chosen]);
  if (earlier.length > 0 && newFiles(held, seen).length > 0) {
    // So do files that the gate found. They are kept, or the approvals that follow would be worthless again.
    earlier = [];
    judged = await judgeWith(earlier);
    chosen = choose(judged);
    seen = [...seen, ...seenBy(chosen === undefined ? [] : [chosen])];
  }
  const approves = chosen === undefined && isNewApproval(definition, mine, earlier, artifacts, open);
  // An approval is for what the gate saw when it was given.
  if (approves) seen = [...seen, ...seenBy(judged)];
  const brought = broughtBy(held, mine.actor, files, seen);
  const notes = judged.flatMap(({ verdicts }) =>
    verdicts.flatMap(({ guard, verdict }) =>
      verdict.note === undefined ? [] : [{ guard: guardName(guard), ...verdict.note }],
    ),
  );
  const kept = [
    ...brought.map((one) => one.digest),
    ...judged.flatMap(({ verdicts }) => verdicts.flatMap(({ verdict }) => verdict.kept ?? [])),
  ];
  const found = { brought, notes, keeper, kept, ignored, missing: [] };
  if (chosen !== undefined)
    return { next: advance(definition, run, chosen.transition.to, merged, brought.length > 0), ...found };
  // Evidence is kept even where it does not suffice yet. The payload is not: it was offered for a transition that did not happen.
  const missing = describeMissing(judged);
  if (brought.length > 0 || approves) {
    const next = advance(definition, run, run.state, run.context, brought.length > 0);
    const left = new Map(Object.keys(request.payload).map((key) => [key, ignored.get(key) ?? ('not_moved' as const)]));
    return { next, ...found, ignored: left, missing };
  }
  throw problem.GUARD_FAILED(
    { missing },
    { missing_guards: missing, current_revision: run.revision, next_step: context.say(phrase.guardNext()) },
  );
}

async function checkEvidence(
  context: Context,
  run: Run,
  event: Event,
  request: EmitRequest,
  keeper: Keeper,
): Promise<{
  merged: Readonly<Record<string, unknown>>;
  ignored: Merged['ignored'];
  files: readonly Artifact[];
}> {
  checkSize(context, '/payload', request.payload);
  const errors: FieldError[] = [];
  const under = (prefix: string, found: readonly FieldError[]) =>
    errors.push(...found.map((one) => ({ path: one.path === '/' ? prefix : prefix + one.path, message: one.message })));
  if (event.payload_schema !== undefined) under('/payload', validateJson(event.payload_schema, request.payload));
  const { context: merged, ignored } = mergeContext(run.definition, event, run.context, request.payload);
  if (errors.length === 0 && run.definition.context_schema !== undefined && merged !== run.context)
    under('/context', validateJson(run.definition.context_schema, merged));
  const files = new Map<string, Artifact>();
  for (const [index, path] of request.paths.entries()) {
    const file = await readArtifact(context, run.tree, path, run.definition);
    if (typeof file === 'string')
      errors.push({
        path: `/artifact_paths/${index}`,
        message: context.say(
          phrase.artifactFault({ path, fault: file, limit: settings.of(context).gate.maxArtifactBytes }),
        ),
      });
    else {
      files.set(file.artifact.path, file.artifact);
      if (file.bytes !== undefined) keeper.add(file.bytes);
    }
  }
  if (errors.length > 0) throw invalid(errors);
  return { merged, ignored, files: [...files.values()] };
}

/** An approval is evidence too: one of two that are needed must be kept until the second comes. One that no guard counts is none. */
function isNewApproval(
  definition: Definition,
  mine: Approval,
  earlier: readonly Approval[],
  artifacts: readonly HeldArtifact[],
  open: readonly Transition[],
): boolean {
  if (isAgents(mine.actor) || submittersOf(artifacts).has(mine.actor)) return false;
  const own = earlier.filter((one) => one.actor === mine.actor);
  const counted = countedIn(
    open.flatMap((one) => one.guards),
    definition.guards,
  );
  return counted.some(({ event, role }) => {
    const counts = (one: Approval) => one.event === event && (role === undefined || one.role === role);
    return counts(mine) && !own.some(counts);
  });
}

function seenBy(judged: readonly Judged[]): readonly Artifact[] {
  return judged.flatMap(({ verdicts }) => verdicts.flatMap(({ verdict }) => verdict.seen ?? []));
}

/** New files, each with who is behind it: the actor for what was handed in, nobody for what the gate found. */
function broughtBy(
  held: readonly HeldArtifact[],
  actor: string,
  files: readonly Artifact[],
  seen: readonly Artifact[],
): readonly HeldArtifact[] {
  const handedIn = new Set(files.map((one) => one.path));
  return newFiles(held, [...files, ...seen]).map((one) => ({
    ...one,
    actor: handedIn.has(one.path) ? actor : gateItself,
  }));
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

function conflict(context: Context, expected: number, current: number): Problem {
  return problem.REVISION_CONFLICT(
    { expected, current },
    { current_revision: current, next_step: context.say(phrase.conflictNext()) },
  );
}

function invalidEvent(definition: Definition, event: string, state: string | undefined, current: string): Problem {
  const possible = [...new Set(definition.transitions.filter((one) => one.from === current).map((one) => one.event))];
  const legalIn = legalStates(definition, event);
  return problem.INVALID_EVENT(
    { event, state, legal_in: legalIn, possible },
    { current_state: current, possible_events: possible, legal_in: legalIn },
  );
}
