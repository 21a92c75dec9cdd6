import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { decodeCursor, encodeCursor } from '../../kernel/page.ts';
import { limitInput } from '../../kernel/page-input.ts';
import { isProblem } from '../../kernel/problem.ts';
import { text } from '../../kernel/row.ts';
import type { Review, Verdict } from '../run/review.ts';
import { asReviewer, review } from '../run/review.ts';
import { titleOf } from '../run/title.ts';
import { enteredAt } from '../run/visits.ts';
import type { Snapshot } from '../run/runs.ts';
import { readRun } from '../run/runs.ts';
import { cursorInput } from '../shapes.ts';

export const listWaiting = defineOperation({
  name: 'list_waiting',
  toolsets: ['admin'],
  effect: 'read',
  summary: 'The open runs of this project that you can approve now, newest first, with what else they miss.',
  example: '--limit 10',
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: z.object({
    waiting: z.array(
      z.object({
        run_id: z.string(),
        process_id: z.string(),
        process_name: z.string(),
        title: z.string().nullable().describe('What it is about, as far as its context says'),
        state: z.string(),
        revision: z.number(),
        ready: z.boolean().describe('Nothing else is missing'),
        missing: z.array(z.string()).readonly().describe('What else is missing'),
        events: z.array(z.enum(['approve', 'reject'])).describe('Which answers the run takes from you'),
        evidence: z
          .array(z.object({ path: z.string(), version: z.number(), size: z.number(), actor: z.string() }))
          .describe('What the answer is about'),
        since: z.string().describe('When it came to this state'),
        updated_at: z.string(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run(context, input) {
    const reviewer = asReviewer(context);
    const waiting = [];
    let before = decodeCursor(input.cursor) ?? '~';
    for (;;) {
      const [rows = []] = await context.store.read([
        {
          sql: 'select id from run where project = :project and is_final = 0 and id < :before order by id desc limit :limit',
          args: { project: context.project.key, before, limit: 100 },
        },
      ]);
      for (const row of rows) {
        before = text(row, 'id');
        const snapshot = await readRun(reviewer, before);
        const asked = await reviewed(reviewer, snapshot, 'approve');
        if (asked === undefined) continue;
        const { run } = snapshot;
        const rejectable = (await reviewed(reviewer, snapshot, 'reject')) !== undefined;
        waiting.push({
          run_id: run.id,
          process_id: run.processId,
          process_name: run.definition.name,
          title: titleOf(run) ?? null,
          state: run.state,
          revision: run.revision,
          ready: asked.missing.length === 0,
          missing: asked.missing,
          events: rejectable ? (['approve', 'reject'] as Verdict[]) : (['approve'] as Verdict[]),
          evidence: asked.artifacts.map(({ path, version, size, actor }) => ({ path, version, size, actor })),
          since: await enteredAt(context, run),
          updated_at: run.updatedAt,
        });
        if (waiting.length === input.limit) return { waiting, next_cursor: encodeCursor(before) };
      }
      if (rows.length < 100) return { waiting };
    }
  },
});

/** Undefined where the run would refuse the answer. */
async function reviewed(reviewer: Context, snapshot: Snapshot, event: Verdict): Promise<Review | undefined> {
  try {
    return await review(reviewer, snapshot, event);
  } catch (error) {
    if (isProblem(error)) return undefined;
    throw error;
  }
}
