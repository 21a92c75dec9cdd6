import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { digestsOf } from './approval.ts';
import { readCurrentEvidence } from '../evidence/current-evidence.ts';
import { emit } from '../run/emit.ts';
import { type Verdict, asReviewer, review } from './review.ts';
import { readRun, resolveRunId } from '../run/runs.ts';
import { listChangedFiles, showEvidence } from '../evidence/show-evidence.ts';
import { problem } from '../problem.ts';
import type { Words } from '../../kernel/text/text.ts';
import { described } from '../words.ts';

/** Creates the operation with which a person approves or rejects the evidence of a run. */
export function judgementOperation(event: Verdict, summary: Words) {
  return defineOperation({
    name: event,
    toolsets: ['admin'],
    effect: 'write',
    summary,
    example: "--run-id run-… --comment 'Looks right'",
    command: `sekisho ${event} <run>`,
    input: z.strictObject({
      run_id: described(z.string().optional(), 'Run ID, or a prefix that only one run has; the current run by default'),
      comment: described(z.string().max(10_000).optional(), 'Why; kept in the history'),
      expected_revision: described(z.int().min(0).optional(), 'Only if the run is still at this revision'),
      evidence: described(
        z
          .array(
            z.strictObject({
              path: described(z.string(), 'Relative to the project'),
              digest: described(z.string(), 'SHA-256 of its content'),
            }),
          )
          .readonly()
          .optional(),
        'Only if the evidence is exactly these files',
      ),
    }),
    output: z.object({
      run_id: z.string(),
      event_id: z.string(),
      transition: z.object({ from_state: z.string(), to_state: z.string() }),
      new_revision: z.number(),
      is_final: z.boolean(),
      moved: z.boolean(),
      missing_guards: z.array(z.string()).readonly().optional(),
      changed_since: described(
        z.array(z.string()).readonly().optional(),
        'Files that have changed in the working copy since they were submitted',
      ),
    }),
    fellShort: ({ missing_guards }) => (missing_guards ?? []).length > 0,
    async confirm(context, input) {
      const snapshot = await readRun(context, await resolveRunId(context, input.run_id));
      const { run, isOurs } = snapshot;
      if (!isOurs) throw problem.RUN_NOT_FOUND({ run_id: run.id });
      const reviewer = asReviewer(context);
      const current = await readCurrentEvidence(reviewer, snapshot);
      const { missing } = await review(reviewer, snapshot, event, current);
      // Binds the answer to the evidence that the person was shown: files that arrive before they answer do not count.
      const bound = { run_id: run.id, expected_revision: run.revision, evidence: digestsOf(current.artifacts) };
      return { text: await showEvidence(reviewer, snapshot, current, missing), input: { ...input, ...bound } };
    },
    async run(context, input) {
      const runId = await resolveRunId(context, input.run_id);
      const reviewer = asReviewer(context);
      const revision = input.expected_revision ?? (await readRun(reviewer, runId)).run.revision;
      const { result } = await emit(reviewer, {
        runId,
        event,
        payload: input.comment === undefined ? {} : { comment: input.comment },
        expectedRevision: revision,
        key: context.newId(`${event}-`),
        paths: [],
        evidence: input.evidence,
      });
      const { run, artifacts } = await readRun(reviewer, runId);
      const changed = await listChangedFiles(reviewer, run, artifacts);
      const { event_id, transition, new_revision, is_final, moved, missing_guards } = result;
      return {
        run_id: runId,
        event_id,
        transition,
        new_revision,
        is_final,
        moved,
        ...(missing_guards && { missing_guards }),
        ...(changed.length > 0 && { changed_since: changed }),
      };
    },
  });
}
