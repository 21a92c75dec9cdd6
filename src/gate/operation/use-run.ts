import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { treeHolder } from '../run/holder.ts';
import { currentRunOf, currentRunQuery, readRun } from '../run/runs.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const useRun = defineOperation({
  name: 'use_run',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words('Make a run the current run of the project, or of this worktree: hooks and tools follow it.'),
  example: '--run-id run-…',
  input: z.strictObject({ run_id: described(z.string(), 'Which run') }),
  output: z.object({ run_id: z.string(), previous_run_id: z.string().nullable(), current_state: z.string() }),
  async run(context, input) {
    const { run } = await readRun(context, input.run_id);
    const project = context.project.key;
    const tree = treeHolder(context.project);
    const [current = []] = await context.store.read([currentRunQuery(context.project)]);
    const previous = currentRunOf(current, context.project) ?? null;
    const outcome = await context.store.commit(
      [
        tree === ''
          ? {
              // A run of another project can be held here, but cannot become this project's current run.
              sql: `insert into current_run (project, run_id) select project, id from run where id = :run and project = :project
            on conflict (project) do update set run_id = excluded.run_id`,
              args: { project, run: run.id },
              rows: 1,
            }
          : {
              sql: `insert into run_holder (holder, run_id) select :tree, id from run where id = :run and project = :project
            on conflict (holder) do update set run_id = excluded.run_id`,
              args: { project, run: run.id, tree },
              rows: 1,
            },
      ],
      [entry(context, run.id, 'run.current', { previous })],
    );
    if (!outcome.done) throw problem.RUN_NOT_FOUND({ run_id: input.run_id });
    return { run_id: run.id, previous_run_id: previous, current_state: run.state };
  },
});
