import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { findState } from '../definition/definition.ts';
import { waitsForPerson } from '../view/missing.ts';
import { statePrompt } from '../run/prompt.ts';
import { requiredArtifacts } from '../evidence/required-artifacts.ts';
import { readRun, resolveRunId } from '../run/runs.ts';
import { sandboxNote } from '../view/sandbox-note.ts';
import { readHookCoverage } from '../evidence/hook-coverage.ts';
import { fileTrusts } from '../../kernel/trust.ts';
import { isTrusted } from '../definition/trust.ts';
import { trustNote, trustOutput } from '../view/trust-note.ts';
import {
  abortedSchema,
  jsonSchema,
  permissionsSchema,
  runIdInput,
  runStatusSchema,
  requiredArtifactsSchema,
} from '../shapes.ts';
import { missingGuards, viewEvents } from '../view/events.ts';
import type { Context } from '../../kernel/context.ts';
import { readRows, text } from '../../kernel/store/row.ts';
import { waitUntil } from '../../kernel/wait.ts';
import { described, words } from '../words.ts';

/** Shorter than the call timeout of every known client. */
const longestWaitMs = 50_000;

export const getState = defineOperation({
  name: 'state_gate.get_state',
  toolsets: ['gate'],
  effect: 'read',
  summary: words(
    'Where a run stands: state, revision, what is missing, which events may be emitted now. Call it first.',
  ),
  example: '--run-id run-…',
  input: z.strictObject({
    run_id: runIdInput,
    wait_ms: described(
      z.int().min(0).max(longestWaitMs).optional(),
      'Maximum time to wait for the run to change; 0 by default',
    ),
    since_revision: described(
      z.int().min(0).optional(),
      'With wait_ms: the last revision that you have seen. It answers at once if the run is past it',
    ),
  }),
  output: z.object({
    warnings: described(
      z.array(z.string()).readonly().optional(),
      'Weaknesses of the gate, such as hooks that do not ask',
    ),
    hooks: described(
      z.object({ prepared: z.array(z.string()).readonly(), receipts: z.number() }),
      'Clients with hooks that ask before each tool, and how often one asked in this state',
    ),
    trust: described(
      z.object({ configuration: z.enum(fileTrusts), definition: z.enum(['trusted', 'never']) }),
      'Whether the configuration and the definition are trusted',
    ),
    sandbox: described(
      z.object({ state: z.enum(['on', 'off']), found: z.string() }),
      'Whether this session is in a sandbox that cannot reach Sekisho’s own files',
    ),
    run_id: z.string(),
    process_id: z.string(),
    process_version: z.string(),
    current_state: z.string(),
    current_state_prompt: z.string().nullable(),
    is_final: z.boolean(),
    status: runStatusSchema,
    aborted: abortedSchema,
    revision: z.number(),
    context: z.record(z.string(), z.unknown()),
    missing_guards: z
      .array(z.object({ guard_name: z.string(), description: z.string(), current_status: z.string() }))
      .readonly(),
    waits_for_person: described(
      z.string().nullable(),
      'What a person has to do before this state can be left, and with which command; null: nothing',
    ),
    required_artifacts: requiredArtifactsSchema,
    allowed_events: z.array(
      z.object({ event_name: z.string(), description: z.string(), payload_schema: jsonSchema.optional() }),
    ),
    tool_permissions: permissionsSchema,
    updated_at: z.string(),
    ...trustOutput,
  }),
  async run(context, input) {
    const id = await resolveRunId(context, input.run_id);
    if (input.wait_ms) await waitForRun(context, id, input.wait_ms, input.since_revision);
    const snapshot = await readRun(context, id);
    const { run } = snapshot;
    // An aborted run requires nothing more and binds no one.
    const asks = run.aborted === null;
    const views = await viewEvents(context, snapshot);
    const { prepared, receipts, warnings } = await readHookCoverage(context, run);
    const definition: 'trusted' | 'never' = (await isTrusted(context, run.digest)) ? 'trusted' : 'never';
    return {
      ...(warnings.length > 0 && { warnings }),
      hooks: { prepared, receipts },
      trust: { configuration: context.project.configuration, definition },
      sandbox: await sandboxNote(context),
      run_id: run.id,
      process_id: run.processId,
      process_version: run.processVersion,
      current_state: run.state,
      current_state_prompt: asks ? statePrompt(run.definition, run.state, run.context) : null,
      is_final: run.isFinal,
      status: run.status,
      aborted: run.aborted,
      revision: run.revision,
      context: run.context,
      missing_guards: missingGuards(context, run, views),
      waits_for_person: waitsForPerson(
        context,
        run,
        views.flatMap((view) => view.judged),
      ),
      required_artifacts: asks ? await requiredArtifacts(run.tree, run.definition, run.state, snapshot.artifacts) : [],
      allowed_events: views
        .filter((view) => view.legalHere && view.roleAdmitted)
        .map(({ event }) => ({
          event_name: event.name,
          description: event.description,
          ...(event.payload_schema !== undefined && { payload_schema: event.payload_schema }),
        })),
      tool_permissions: (asks ? findState(run.definition, run.state)?.tool_permissions : undefined) ?? null,
      updated_at: run.updatedAt,
      ...trustNote(context, run.processId, definition),
    };
  },
});

/** Waits until the run is past a revision (by default its current one), is final, or the time is over. */
async function waitForRun(context: Context, id: string, timeoutMs: number, since: number | undefined): Promise<void> {
  let seen = since;
  await waitUntil(context, {
    subjects: [id],
    timeoutMs,
    async look() {
      const [row] = await readRows(context.store, 'select state, revision, is_final from run where id = :id', { id });
      return row;
    },
    isEnough(run) {
      if (run === undefined) return true;
      const revision = Number(run['revision']);
      seen ??= revision;
      return revision > seen || Number(run['is_final']) === 1;
    },
    progress: (run, share) => ({
      progress: Math.round(share * 100),
      total: 100,
      ...(run !== undefined && { message: text(run, 'state') }),
    }),
  });
}
