import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import type { Operation } from '../../kernel/operation.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { personRole } from '../../kernel/role.ts';
import { emit } from './emit.ts';
import type { Snapshot } from './runs.ts';
import { readRun, resolveRunId } from './runs.ts';
import { runIdInput } from '../shapes.ts';

/** A person's yes or no to the evidence of a run. Both events are the same but for their name. */
export function judgement(event: 'approve' | 'reject', summary: string): Operation {
  return defineOperation({
    name: event,
    toolsets: ['admin'],
    effect: 'write',
    summary,
    example: "--run-id run-… --comment 'Looks right'",
    input: z.strictObject({
      run_id: runIdInput,
      comment: z.string().max(10_000).optional().describe('Why; kept in the history'),
      expected_revision: z.int().min(0).optional().describe('Only if the run is still at this revision'),
    }),
    output: z.object({
      run_id: z.string(),
      event_id: z.string(),
      transition: z.object({ from_state: z.string(), to_state: z.string() }),
      new_revision: z.number(),
      is_final: z.boolean(),
      moved: z.boolean(),
      missing_guards: z.array(z.string()).readonly().optional(),
    }),
    fellShort: ({ missing_guards }) => (missing_guards ?? []).length > 0,
    async confirm(context, input) {
      const { run, artifacts, approvals } = await readRun(context, await resolveRunId(context, input.run_id));
      // Evidence that comes in while the question stands was not seen.
      return {
        text: evidenceOf({ run, artifacts, approvals }),
        input: { ...input, run_id: run.id, expected_revision: run.revision },
      };
    },
    async run(context, input) {
      const runId = await resolveRunId(context, input.run_id);
      // A reviewer, unless the person came as something else that may decide.
      const { role } = context.actor;
      const reviewer: Context = {
        ...context,
        actor: { ...context.actor, role: role === personRole ? 'reviewer' : role },
      };
      const revision = input.expected_revision ?? (await readRun(reviewer, runId)).run.revision;
      const { result } = await emit(reviewer, {
        runId,
        event,
        payload: input.comment === undefined ? {} : { comment: input.comment },
        expectedRevision: revision,
        key: context.newId(`${event}-`),
        paths: [],
      });
      const { event_id, transition, new_revision, is_final, moved, missing_guards } = result;
      return {
        run_id: runId,
        event_id,
        transition,
        new_revision,
        is_final,
        moved,
        ...(missing_guards && { missing_guards }),
      };
    },
  });
}

/** What a reviewer should see before saying yes. */
function evidenceOf({ run, artifacts, approvals }: Pick<Snapshot, 'run' | 'artifacts' | 'approvals'>): string {
  return [
    `${run.definition.name} (${run.processId} ${run.processVersion}), ${run.id}`,
    `state ${run.state}, revision ${run.revision}`,
    `context ${JSON.stringify(run.context)}`,
    ...artifacts.map(
      (one) =>
        `  ${one.type ?? '-'}  ${one.path}  v${one.version}  ${one.size} bytes  sha256 ${one.digest.slice(0, 16)}…  by ${one.actor}`,
    ),
    ...(approvals.length > 0 ? [`approved so far by ${approvals.map((one) => one.actor).join(', ')}`] : []),
  ].join('\n');
}
