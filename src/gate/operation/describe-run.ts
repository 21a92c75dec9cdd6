import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { text } from '../../kernel/store/row.ts';
import type { Row } from '../../kernel/store/store.ts';
import { findState } from '../definition/definition.ts';
import { commandsOf, isTrusted } from '../definition/trust.ts';
import { validApprovals } from '../approval/approval.ts';
import { readCurrentEvidence } from '../evidence/current-evidence.ts';
import { describeGraph, graphOutput } from '../view/describe-graph.ts';
import { differencePath } from '../evidence/difference.ts';
import { requiredArtifacts } from '../evidence/required-artifacts.ts';
import { asReviewer, findReview } from '../approval/review.ts';
import { currentRunOf, currentRunQuery, readRun, resolveRunId } from '../run/runs.ts';
import { titleOf } from '../view/title.ts';
import { listChangedFiles } from '../evidence/show-evidence.ts';
import { visitsOf } from '../view/visits.ts';
import { describeWaysOut } from '../view/events.ts';
import { abortedSchema, permissionsSchema, runStatusSchema, requiredArtifactsSchema } from '../shapes.ts';
import { described, words } from '../words.ts';

export const describeRun = defineOperation({
  name: 'describe_run',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'Everything about a run: its process as a graph, its path, what each transition out still needs, its evidence, and whether it waits for you.',
  ),
  example: '--run-id run-…',
  input: z.strictObject({
    run_id: described(z.string().optional(), 'Run ID, or a prefix that only one run has; the current run by default'),
  }),
  output: z.object({
    run_id: z.string(),
    process_id: z.string(),
    process_version: z.string(),
    process_name: z.string(),
    title: described(z.string().nullable(), 'Its subject, if its context names one'),
    digest: z.string(),
    is_trusted: z.boolean(),
    commands: z.array(z.string()).readonly(),
    current_state: z.string(),
    revision: z.number(),
    is_final: z.boolean(),
    status: runStatusSchema,
    aborted: abortedSchema,
    is_current: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    tree: described(
      z.string(),
      'The folder in which its evidence is looked up; empty until an agent has taken its task',
    ),
    context: z.record(z.string(), z.unknown()),
    tool_permissions: permissionsSchema,
    ...graphOutput,
    visits: described(
      z
        .array(
          z.object({
            state: z.string(),
            entered_at: z.string(),
            left_at: z.string().nullable(),
            by_event: described(z.string().nullable(), 'null: the start of the run'),
          }),
        )
        .readonly(),
      'The states that it was in, oldest first; the last thousand',
    ),
    ways: described(
      z.array(
        z.object({
          event: z.string(),
          to: z.string(),
          is_yours: described(z.boolean(), 'True if you can emit the event'),
          guards: z.array(
            z.object({
              name: z.string(),
              is_satisfied: z.boolean(),
              is_pending: described(z.boolean(), 'True if it is only known when the event is emitted'),
              reason: z.string(),
            }),
          ),
        }),
      ),
      'Transitions out of the current state',
    ),
    required_artifacts: requiredArtifactsSchema,
    artifacts: z.array(
      z.object({
        path: z.string(),
        type: z.string().nullable(),
        version: z.number(),
        size: z.number(),
        digest: z.string(),
        actor: z.string(),
        at: described(z.string().nullable(), 'null: the gate found it just now'),
        is_kept: described(z.boolean(), 'True if its content can be read'),
        is_unchanged: described(
          z.boolean().nullable(),
          'The working copy still has exactly this content; null: it was not compared',
        ),
      }),
    ),
    approvals: described(
      z.array(z.object({ actor: z.string(), role: z.string() })),
      'True if it was given for exactly the current evidence',
    ),
    answers: described(z.array(z.enum(['approve', 'reject'])), 'Answers that you can give now'),
    missing: described(z.array(z.string()).readonly(), 'What is missing apart from your answer'),
  }),
  async run(context, input) {
    const snapshot = await readRun(context, await resolveRunId(context, input.run_id));
    const { run } = snapshot;
    const { definition } = run;
    // An aborted run requires nothing more and binds no one.
    const asks = run.aborted === null;
    const reviewer = asReviewer(context);
    const current = await readCurrentEvidence(reviewer, snapshot);
    const asked = await findReview(reviewer, snapshot, 'approve', current);
    const rejectable = await findReview(reviewer, snapshot, 'reject', current);
    const { artifacts, found, keeper } = current;
    const approvals = validApprovals(snapshot.approvals, artifacts);
    const [used = [], rows = [], kept = []] = await context.store.read([
      currentRunQuery(context.project),
      { sql: 'select path, version, at from artifact where run_id = :run', args: { run: run.id } },
      {
        sql: 'select digest from kept_bytes where digest in (select digest from artifact where run_id = :run)',
        args: { run: run.id },
      },
    ]);
    const changed = await listChangedFiles(context, run, artifacts);
    const isCompared = (path: string) =>
      run.here && (path !== differencePath || found.some((one) => one.path === differencePath));
    return {
      run_id: run.id,
      process_id: run.processId,
      process_version: run.processVersion,
      process_name: definition.name,
      title: titleOf(run) ?? null,
      digest: run.digest,
      is_trusted: await isTrusted(context, run.digest),
      commands: commandsOf(run),
      current_state: run.state,
      revision: run.revision,
      is_final: run.isFinal,
      status: run.status,
      aborted: run.aborted,
      is_current: currentRunOf(used, context.project) === run.id,
      created_at: run.createdAt,
      updated_at: run.updatedAt,
      tree: run.placed ? run.tree : '',
      context: run.context,
      tool_permissions: (asks ? findState(definition, run.state)?.tool_permissions : undefined) ?? null,
      ...describeGraph(definition),
      visits: await visitsOf(context.store, run),
      ways: await describeWaysOut(reviewer, { ...snapshot, approvals }),
      required_artifacts: asks ? await requiredArtifacts(run.tree, definition, run.state, snapshot.artifacts) : [],
      artifacts: artifacts.map(({ path, type, version, size, digest, actor }) => ({
        path,
        type: type ?? null,
        version,
        size,
        digest,
        actor,
        at: handedIn(rows, path, version),
        is_kept: keeper.get(digest) !== undefined || kept.some((one) => one['digest'] === digest),
        is_unchanged: isCompared(path) ? !changed.includes(path) : null,
      })),
      approvals: approvals.map(({ actor, role }) => ({ actor, role })),
      answers: [
        ...(asked === undefined ? [] : (['approve'] as const)),
        ...(rejectable === undefined ? [] : (['reject'] as const)),
      ],
      missing: asked?.missing ?? [],
    };
  },
});

function handedIn(rows: readonly Row[], path: string, version: number): string | null {
  const found = rows.find((row) => row['path'] === path && Number(row['version']) === version);
  return found === undefined ? null : text(found, 'at');
}
