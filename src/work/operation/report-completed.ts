import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { readPersonWait } from '../../gate/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { latestContextQuery, saveContext } from '../task/contexts.ts';
import { inHand } from '../session/pairs.ts';
import { type WorkSession, endSession, openSession } from '../session/sessions.ts';
import { longInput, sessionToken, success } from '../shapes.ts';
import { stageReportOf } from '../task/task-tree.ts';
import { moveTask } from '../task/status.ts';
import { type Task, selectTasks, toTask } from '../task/task.ts';
import { type Batch, buildBatch } from '../task/change.ts';
import { type Change, readTask } from '../task/tasks.ts';
import { phrase, problem } from '../problem.ts';
import { described, words } from '../words.ts';

const ReportInput = z.strictObject({
  session_token: sessionToken,
  result: described(
    z.enum(['success', 'failed', 'blocked']),
    'success: the task is done; failed and blocked: the task is blocked',
  ),
  summary: described(longInput.optional(), 'What was done'),
  next_steps: described(longInput.optional(), 'What remains'),
});

export const reportCompleted = defineOperation({
  name: 'report_completed',
  toolsets: ['work'],
  effect: 'write',
  summary: words(
    'Report the end of the task and end the session. Refused if the task’s process is not over; the answer says what is missing.',
  ),
  example: '--session-token sess_… --result success --summary "Login screen works"',
  input: ReportInput,
  output: z.object({ success, instruction: z.string() }),
  async run(given, input) {
    const { context: agent, waits } = await retry(
      async () => {
        const { session, context } = await openSession(given, input.session_token);
        const task = await taskOf(context, session);
        const change = task === undefined ? nothing : await close(context, session, task, input);
        const staged = await stageReportOf(context, session, task);
        // A host, if there is one, replaces this exit code with the real one.
        const execution =
          input.result === 'success' ? { status: 'completed', exitCode: 0 } : { status: 'failed', exitCode: 1 };
        const ended = entry(context, session.agentId, 'session.ended', {
          project: session.projectId,
          reason: 'reported',
          task: task?.id ?? null,
          result: input.result,
        });
        const outcome = await context.store.commit(
          [
            ...change.writes,
            ...(staged?.writes ?? []),
            ...endSession(session, { at: context.now().toISOString(), reason: 'reported', execution }),
          ],
          [ended, ...change.entries, ...(staged?.entries ?? [])],
        );
        if (!outcome.done) return again;
        await staged?.publish();
        return { context, waits: change.waits === true };
      },
      () => problem.INVALID_SESSION(),
    );
    const done = waits ? phrase.instructionReported() : phrase.instructionCompleted();
    return {
      success: true as const,
      instruction: agent.say(input.result === 'success' ? done : phrase.instructionBlocked()),
    };
  },
});

interface Closing extends Batch {
  /** Only a person's answer is missing. */
  readonly waits?: boolean;
}

const nothing: Closing = { writes: [], entries: [] };

/** Reads the session's task, or the agent's task in progress if the session never called get_my_task. */
async function taskOf(context: Context, session: WorkSession): Promise<Task | undefined> {
  if (session.taskId !== null) return readTask(context, session.taskId);
  const [[row] = []] = await context.store.read([
    {
      sql: `${selectTasks} where ${inHand} order by t.started_at, t.ord limit 1`,
      args: { agent: session.agentId, project: session.projectId, now: context.now().toISOString() },
    },
  ]);
  return row === undefined ? undefined : toTask(row);
}

/**
 * The change of a report. If only a person's answer is missing, the report is recorded, and the answer that completes the
 * run closes the task.
 */
async function moveOrWait(context: Context, task: Task, to: 'done' | 'blocked'): Promise<Change> {
  // update_task_status may have moved the task already.
  if (task.status === to) return { fields: {} };
  try {
    return await moveTask(context, task, { to });
  } catch (error) {
    const { runId } = task;
    const mayWait = problem.PROCESS_INCOMPLETE.is(error) && task.status === 'in_progress';
    if (!mayWait || runId === null || (await readPersonWait(context, runId)) === undefined) throw error;
    return { fields: { reported: 'success', session: null, attempts: 0 } };
  }
}

async function close(
  context: Context,
  session: WorkSession,
  task: Task,
  input: z.output<typeof ReportInput>,
): Promise<Closing> {
  if (task.assigneeId !== session.agentId)
    throw problem.TASK_NOT_YOURS(
      { task_id: task.id, agent_id: session.agentId, assignee_id: task.assigneeId },
      { task_id: task.id, assignee_id: task.assigneeId },
    );
  const to = input.result === 'success' ? 'done' : 'blocked';
  const move = await moveOrWait(context, task, to);
  const change: Change = {
    ...move,
    fields: { ...move.fields, ...(input.summary !== undefined && { summary: input.summary }) },
    note: { ...move.note, result: input.result },
  };
  const waits = move.fields.reported === 'success';
  const batch = { ...(await buildBatch(context, [{ task, change }])), waits };
  if (input.summary === undefined && input.next_steps === undefined) return batch;
  const [[before] = []] = await context.store.read([latestContextQuery(task.id)]);
  const saved = saveContext(context, task.id, before, { progress: input.summary, next_steps: input.next_steps });
  return { writes: [...batch.writes, saved.write], entries: [...batch.entries, saved.entry], waits };
}
