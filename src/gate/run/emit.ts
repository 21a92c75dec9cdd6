import type * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { sha256 } from '../../base/crypto.ts';
import { entry } from '../../kernel/store/journal.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Write } from '../../kernel/store/store.ts';
import { afterFinal } from '../ports.ts';
import { canonicalJson } from './canonical-json.ts';
import { type Decision, type EmitRequest, decideEvent, emitterOf } from './decide.ts';
import { isJudgement } from '../approval/approval.ts';
import { recordBaseline } from '../worktree/baseline.ts';
import { keepWrites } from '../evidence/kept-bytes.ts';
import { payloadProblem } from './payload.ts';
import { admitEvent } from './admission.ts';
import { placeRun } from './place-run.ts';
import { statePrompt } from './prompt.ts';
import { type HeldArtifact, type Snapshot, readRun } from './runs.ts';
import { warningsOf } from '../evidence/hook-coverage.ts';
import { phrase } from '../phrase.ts';
import { problem, refusal } from '../problem.ts';
import type { emitAnswerSchema } from '../shapes.ts';

type EmitAnswer = z.input<typeof emitAnswerSchema>;

/** A file as recorded by the event that submitted it. */
export interface BroughtArtifact {
  readonly path: string;
  readonly version: number;
  readonly digest: string;
  readonly type: string | null;
  readonly size: number;
  readonly actor: string;
}

/** Checks, decides and commits an event. After a lost race it reads and decides again. */
export async function emit(context: Context, request: EmitRequest): Promise<EmitAnswer> {
  const digest = sha256(canonicalJson([request.event, request.payload, request.paths]));
  return retry(
    async () => {
      const snapshot = await readRun(context, request.runId, request.key);
      // The run's files are in its own project; guards here would look into the wrong folder.
      if (!snapshot.isOurs) throw problem.RUN_NOT_FOUND({ run_id: request.runId });
      if (snapshot.past !== undefined) return replay(context, snapshot.past, digest, request.key);
      if (!snapshot.run.placed) {
        const { event } = admitEvent(context, snapshot.run, request.event);
        if (!context.actor.person && !snapshot.isHeld)
          throw refusal.event({ role: context.actor.role, event: event.name, by: 'unplaced' });
        // The guards compare with what is recorded now, so the run gets its tree before the decision.
        await placeRun(context, request.runId);
        return again;
      }
      const decision = await decideEvent(context, snapshot, request);
      return commit(context, snapshot, request, digest, decision);
    },
    // Reached only if the revision matched on every attempt and every commit lost its race.
    () => problem.REVISION_CONFLICT({ expected: request.expectedRevision, current: request.expectedRevision + 1 }),
  );
}

function replay(context: Context, past: { request: string; answer: string }, digest: string, key: string): EmitAnswer {
  if (past.request !== digest)
    throw payloadProblem([{ path: '/idempotency_key', message: context.say(phrase.payloadKeyReused({ key })) }]);
  return { ...(JSON.parse(past.answer) as EmitAnswer), replayed: true, code: 'IDEMPOTENT_REPLAY' };
}

async function commit(
  context: Context,
  snapshot: Snapshot,
  request: EmitRequest,
  digest: string,
  decision: Decision,
): Promise<EmitAnswer | typeof again> {
  const { run } = snapshot;
  const { next, brought } = decision;
  const now = context.now();
  const at = now.toISOString();
  const actor = emitterOf(context, request);
  const warnings = await warningsOf(context, run);
  const answer: EmitAnswer = {
    success: true,
    result: {
      event_id: context.newId('evt-'),
      accepted: true,
      transition: { from_state: run.state, to_state: next.state },
      new_revision: next.revision,
      new_state_prompt: statePrompt(run.definition, next.state, next.context),
      is_final: next.isFinal,
      moved: next.state !== run.state,
      ...(next.state === run.state && { missing_guards: decision.missing }),
      ...(decision.waits !== null && { waits_for_person: decision.waits }),
      ...(decision.ignored.size > 0 && {
        ignored_keys: [...decision.ignored].map(([key, because]) => ({
          key,
          reason: context.say(phrase.keyIgnored({ key, because })),
        })),
      }),
    },
    ...(warnings.length > 0 && { warnings }),
  };
  const event = {
    run: run.id,
    revision: next.revision,
    id: answer.result.event_id,
    name: request.event,
    actor,
    role: context.actor.role,
    payload: JSON.stringify(request.payload),
    artifacts: JSON.stringify(
      brought.map(({ path, version, digest: content, type, size, actor: by }): BroughtArtifact => ({
        path,
        version,
        digest: content,
        type: type ?? null,
        size,
        actor: by,
      })),
    ),
    // The gate's own event is no approval: the person's event, which it decides again, is.
    evidence:
      isJudgement(run.definition, request.event) && request.answeredAs === undefined
        ? JSON.stringify(decision.evidence)
        : null,
    from: run.state,
    to: next.state,
    key: request.key,
    request: digest,
    answer: JSON.stringify(answer),
    at,
  };
  const baseline =
    next.state === run.state
      ? undefined
      : await recordBaseline(context, run.definition, { ...run, state: next.state, entered: next.entered });
  const told = entry({ actor: context.actor, project: context.project, now: () => now }, run.id, 'run.event', {
    event_id: event.id,
    event: event.name,
    revision: next.revision,
    from: run.state,
    to: next.state,
    final: next.isFinal,
    // Tells those who serve the run's files that they have to decide; see `keepDecisions`.
    ...(!run.here && { elsewhere: true }),
    artifacts: brought.map(({ path, digest: content }) => ({ path, digest: content })),
    ...baseline?.note,
    ...(decision.notes.length > 0 && { guards: decision.notes }),
    ...(warnings.length > 0 && { warnings }),
  });
  const after = next.isFinal ? await afterFinal.of(context)(context, run.id) : undefined;
  const writes: Write[] = [
    {
      sql: `update run set state = :state, revision = :revision, context = :context, visited = :visited, entered = :entered,
        is_final = :final, updated_at = :at where id = :id and revision = :expected and updated_at = :before`,
      args: {
        id: run.id,
        expected: run.revision,
        before: run.updatedAt,
        state: next.state,
        revision: next.revision,
        context: JSON.stringify(next.context),
        visited: JSON.stringify(next.visited),
        entered: next.entered,
        final: next.isFinal ? 1 : 0,
        at,
      },
      rows: 1,
    },
    {
      sql: `insert into event (run_id, revision, id, name, actor, role, payload, artifacts, evidence, from_state, to_state, idempotency_key, request, answer, at)
        values (:run, :revision, :id, :name, :actor, :role, :payload, :artifacts, :evidence, :from, :to, :key, :request, :answer, :at)`,
      args: event,
      rows: 1,
    },
    ...(baseline?.writes ?? []),
    ...keepWrites(decision.keeper, decision.kept, at),
    ...brought.flatMap((file) => artifactWrites(run.id, file, next.revision, at)),
    ...(after?.writes ?? []),
  ];
  const outcome = await context.store.commit(writes, [told, ...(after?.entries ?? [])]);
  return outcome.done ? answer : again;
}

function artifactWrites(run: string, file: HeldArtifact, revision: number, at: string): readonly Write[] {
  const args = {
    run,
    path: file.path,
    version: file.version,
    type: file.type ?? null,
    digest: file.digest,
    size: file.size,
    actor: file.actor,
    revision,
    at,
  };
  const columns =
    '(run_id, path, version, type, digest, size, actor, revision, at) values (:run, :path, :version, :type, :digest, :size, :actor, :revision, :at)';
  return [
    {
      sql: `insert into artifact ${columns} on conflict (run_id, path) do update set version = excluded.version, type = excluded.type,
        digest = excluded.digest, size = excluded.size, actor = excluded.actor, revision = excluded.revision, at = excluded.at`,
      args,
    },
    { sql: `insert into artifact_version ${columns}`, args, rows: 1 },
  ];
}
