import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { decodeCursor, encodeCursor } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { isProblem } from '../../kernel/problem.ts';
import { text, readRows } from '../../kernel/store/row.ts';
import type { Row } from '../../kernel/store/store.ts';
import { admitEvent } from '../run/admission.ts';
import { readCurrentEvidence } from '../evidence/current-evidence.ts';
import { type Verdict, asReviewer, findReview } from '../approval/review.ts';
import { titleOf } from '../view/title.ts';
import { enteredAt } from '../view/visits.ts';
import { definitionOf, readRun } from '../run/runs.ts';
import { cursorInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const listWaiting = defineOperation({
  name: 'list_waiting',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('The open runs of this project that you can approve now, newest first, with what else they need.'),
  example: '--limit 10',
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: z.object({
    waiting: z.array(
      z.object({
        run_id: z.string(),
        process_id: z.string(),
        process_name: z.string(),
        title: described(z.string().nullable(), 'Its subject, if its context names one'),
        state: z.string(),
        revision: z.number(),
        ready: described(z.boolean(), 'Nothing else is missing'),
        missing: described(z.array(z.string()).readonly(), 'What else is missing'),
        events: described(z.array(z.enum(['approve', 'reject'])), 'Answers that the run accepts from you'),
        evidence: described(
          z.array(z.object({ path: z.string(), version: z.number(), size: z.number(), actor: z.string() })),
          'The evidence that the answer covers',
        ),
        since: described(z.string(), 'When it entered this state'),
        updated_at: z.string(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run(context, input) {
    const reviewer = asReviewer(context);
    const waiting = [];
    const isAsked = createApprovalFilter(reviewer);
    let before = decodeCursor(input.cursor) ?? '~';
    for (;;) {
      const rows = await readRows(
        context.store,
        'select id, definition, state from run where project = :project and is_final = 0 and id < :before order by id desc limit :limit',
        { project: context.project.key, before, limit: 100 },
      );
      for (const row of rows) {
        before = text(row, 'id');
        if (!(await isAsked(row))) continue;
        const snapshot = await readRun(reviewer, before);
        const current = await readCurrentEvidence(reviewer, snapshot);
        const asked = await findReview(reviewer, snapshot, 'approve', current);
        if (asked === undefined) continue;
        const { run } = snapshot;
        const rejectable = (await findReview(reviewer, snapshot, 'reject', current)) !== undefined;
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
          evidence: current.artifacts.map(({ path, version, size, actor }) => ({ path, version, size, actor })),
          since: await enteredAt(context, run),
          updated_at: run.updatedAt,
        });
        if (waiting.length === input.limit) return { waiting, next_cursor: encodeCursor(before) };
      }
      if (rows.length < 100) return { waiting };
    }
  },
});

/** Creates a filter by process and state, so that runs that cannot wait for approval need not be read. */
function createApprovalFilter(reviewer: Context): (run: Row) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (row) => {
    const [id, state] = [text(row, 'id'), text(row, 'state')];
    const where = `${text(row, 'definition')} ${state}`;
    const asked =
      known.get(where) ?? acceptsApproval(reviewer, { ...(await definitionOf(reviewer, id)), state, aborted: null });
    known.set(where, asked);
    return asked;
  };
}

function acceptsApproval(reviewer: Context, place: Parameters<typeof admitEvent>[1]): boolean {
  try {
    admitEvent(reviewer, place, 'approve');
    return true;
  } catch (error) {
    if (isProblem(error)) return false;
    throw error;
  }
}
