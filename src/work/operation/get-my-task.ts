import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { readRunPosition, runStatuses } from '../../gate/index.ts';
import { commitBatch } from '../task/change.ts';
import { contextRecord, latestContextQuery } from '../task/contexts.ts';
import { handoffRecord, latestHandoffQuery } from '../task/handoffs.ts';
import { chooseTask, takeWrites } from '../task/my-task.ts';
import { type WorkSession, openSession } from '../session/sessions.ts';
import { contextSchema, handoffSchema, prioritySchema, sessionToken, success, texts, taskNumber } from '../shapes.ts';
import type { Task } from '../task/task.ts';
import { findTaskChange, folderOfTask } from '../task/task-tree.ts';
import { readTask } from '../task/tasks.ts';
import { phrase, problem } from '../problem.ts';
import { words } from '../words.ts';

export const getMyTask = defineOperation({
  name: 'get_my_task',
  toolsets: ['work'],
  effect: 'write',
  idempotent: true,
  summary: words(
    'The task that this session works on, with its context, hand-off and process. Starts the next task if there is none.',
  ),
  example: '--session-token sess_…',
  input: z.strictObject({ session_token: sessionToken }),
  output: z.object({
    success,
    has_task: z.boolean(),
    task: z
      .object({
        task_id: z.string(),
        number: taskNumber,
        title: z.string(),
        description: z.string(),
        priority: prioritySchema,
        acceptance: texts,
        labels: texts,
        working_directory: z.string(),
        context: contextSchema.nullable(),
        handoff: handoffSchema.nullable(),
        process: z
          .object({
            process_id: z.string(),
            run_id: z.string(),
            current_state: z.string(),
            prompt: z.string().nullable(),
            is_final: z.boolean(),
            status: z.enum(runStatuses),
          })
          .nullable(),
      })
      .optional(),
    instruction: z.string(),
  }),
  async run(given, input) {
    const { context, session, taskId } = await retry(
      () => takeTask(given, input.session_token),
      () => problem.INVALID_SESSION(),
    );
    if (taskId === undefined)
      return { success: true as const, has_task: false, instruction: context.say(phrase.instructionNoTask()) };
    return describe(context, session, await readTask(context, taskId));
  },
});

async function takeTask(given: Context, token: string) {
  const { session, context } = await openSession(given, token);
  const choice = await chooseTask(context, session);
  if (choice === undefined) return { context, session, taskId: undefined };
  const done = await commitBatch(context, await takeWrites(context, session, choice));
  return done ? { context, session, taskId: choice.task.id } : again;
}

async function describe(context: Context, session: WorkSession, task: Task) {
  const [[saved] = [], [handed] = []] = await context.store.read([
    latestContextQuery(task.id),
    latestHandoffQuery(task.id),
  ]);
  const handoff = handed === undefined ? null : handoffRecord(handed);
  const position = task.runId === null ? undefined : await readRunPosition(context, task.runId);
  const isOffered = handoff?.status === 'pending' && task.assigneeId !== session.agentId;
  return {
    success: true as const,
    has_task: true,
    task: {
      task_id: task.id,
      number: task.number,
      title: task.title,
      description: task.description,
      priority: task.priority,
      acceptance: task.acceptance,
      labels: task.labels,
      working_directory: folderOfTask(await findTaskChange(context, task.id), session.workingDirectory),
      context: saved === undefined ? null : contextRecord(saved),
      handoff,
      process:
        position === undefined
          ? null
          : {
              process_id: position.process_id,
              run_id: position.run_id,
              current_state: position.current_state,
              prompt: position.prompt,
              is_final: position.is_final,
              status: position.status,
            },
    },
    instruction: isOffered
      ? context.say(phrase.instructionHandoff({ handoff_id: handoff.handoff_id, agent_id: session.agentId }))
      : context.say(phrase.instructionTask({ run_id: position?.run_id })),
  };
}
