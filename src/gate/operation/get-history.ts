import * as z from 'zod';
import { journalQuery } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import type { DigestedFile } from '../approval/approval.ts';
import type { BroughtArtifact } from '../run/emit.ts';
import { readRun, resolveRunId } from '../run/runs.ts';
import { cursorInput, runIdInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const getHistory = defineOperation({
  name: 'state_gate.get_history',
  toolsets: ['gate'],
  effect: 'read',
  summary: words('What happened in a run, oldest first: events, who emitted them, with which evidence.'),
  example: '--run-id run-…',
  input: z.strictObject({ run_id: runIdInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    run_id: z.string(),
    process_id: z.string(),
    current_state: z.string(),
    revision: z.number(),
    head: described(z.string(), 'Link of the run’s newest journal entry; kept elsewhere it proves the history later'),
    events: z.array(
      z.object({
        event_id: z.string(),
        event_name: z.string(),
        revision: z.number(),
        from_state: z.string(),
        to_state: z.string(),
        actor: z.string(),
        role: z.string(),
        payload: z.record(z.string(), z.unknown()),
        artifacts: z.array(
          z.object({ path: z.string(), version: z.number(), digest: z.string(), type: z.string().nullable() }),
        ),
        evidence: described(
          z.array(z.object({ path: z.string(), digest: z.string() })).optional(),
          'For an approval or a rejection: all files that it covers',
        ),
        at: z.string(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run(context, input) {
    const { run } = await readRun(context, await resolveRunId(context, input.run_id));
    const after = decodePosition(input.cursor) ?? 0;
    const [[newest] = [], rows = []] = await context.store.read([
      journalQuery({ subject: run.id, limit: 1 }),
      {
        sql: `select id, revision, name, actor, role, payload, artifacts, evidence, from_state, to_state, at from event
          where run_id = :run and revision > :after order by revision limit :limit`,
        args: { run: run.id, after, limit: input.limit + 1 },
      },
    ]);
    const page = cutPage(rows, input.limit, (row) => String(row['revision']));
    return {
      run_id: run.id,
      process_id: run.processId,
      current_state: run.state,
      revision: run.revision,
      head: newest === undefined ? '' : text(newest, 'link'),
      events: page.rows.map((row) => ({
        event_id: text(row, 'id'),
        event_name: text(row, 'name'),
        revision: Number(row['revision']),
        from_state: text(row, 'from_state'),
        to_state: text(row, 'to_state'),
        actor: text(row, 'actor'),
        role: text(row, 'role'),
        payload: JSON.parse(text(row, 'payload')) as Record<string, unknown>,
        artifacts: (JSON.parse(text(row, 'artifacts')) as BroughtArtifact[]).map(({ path, version, digest, type }) => ({
          path,
          version,
          digest,
          type,
        })),
        ...(row['evidence'] !== null && { evidence: JSON.parse(text(row, 'evidence')) as DigestedFile[] }),
        at: text(row, 'at'),
      })),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
