import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Write } from '../../kernel/store/store.ts';
import { afterAbort } from '../ports.ts';
import { problem } from '../problem.ts';
import { approverId } from './approver.ts';
import { readRun } from './runs.ts';

/** Ends an open run in its current state. If an event and an abort race, the second sees the first. */
export async function abort(context: Context, runId: string, reason: string) {
  return retry(
    async () => {
      const { run, isOurs } = await readRun(context, runId);
      if (!isOurs) throw problem.RUN_NOT_FOUND({ run_id: runId });
      const { id, state, revision } = run;
      if (run.aborted !== null)
        return { run_id: id, current_state: state, revision, aborted: run.aborted, already: true };
      if (run.isFinal) throw problem.RUN_COMPLETED({ run_id: id, state }, { run_id: id, current_state: state });
      const now = context.now();
      const at = now.toISOString();
      const aborted = { by: approverId(context.actor), since: at, reason };
      const answer = { run_id: id, current_state: state, revision: revision + 1, aborted, already: false };
      const after = await afterAbort.of(context)(context, { id, reason });
      const writes: Write[] = [
        {
          sql: `update run set is_final = 1, aborted = :aborted, revision = :revision, updated_at = :at
            where id = :id and revision = :expected and updated_at = :before`,
          args: {
            id,
            aborted: JSON.stringify(aborted),
            revision: answer.revision,
            at,
            expected: revision,
            before: run.updatedAt,
          },
          rows: 1,
        },
        {
          sql: `insert into event (run_id, revision, id, name, actor, role, payload, artifacts, evidence, from_state, to_state, idempotency_key, request, answer, at)
            values (:run, :revision, :id, 'abort_run', :actor, :role, :payload, '[]', null, :state, :state, :key, '', :answer, :at)`,
          args: {
            run: id,
            revision: answer.revision,
            id: context.newId('evt-'),
            actor: aborted.by,
            role: context.actor.role,
            payload: JSON.stringify({ reason }),
            state,
            key: context.newId('abort-'),
            answer: JSON.stringify(answer),
            at,
          },
          rows: 1,
        },
        ...after.writes,
      ];
      const told = entry({ ...context, now: () => now }, id, 'run.aborted', {
        reason,
        state,
        revision: answer.revision,
      });
      const outcome = await context.store.commit(writes, [told, ...after.entries]);
      return outcome.done ? answer : again;
    },
    () => kernelProblem.STORE_BUSY({ what: runId }),
  );
}

/** Moves connections and instances from an aborted run to the run that was started in its place. */
export function holdInsteadWrite(aborted: string, runId: string): Write {
  return {
    sql: `update run_holder set run_id = :run where run_id = :aborted and holder not like 'tree:%'`,
    args: { aborted, run: runId },
  };
}
