import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { findDefinition } from '../../gate/index.ts';
import { requireMember } from '../session/agents.ts';
import { checkRelations } from '../task/relations.ts';
import {
  idsInput,
  labelsInput,
  lineInput,
  listOf,
  longInput,
  manyTexts,
  prioritySchema,
  statusSchema,
  success,
  taskIdInput,
  taskSchema,
} from '../shapes.ts';
import { moveTask } from '../task/status.ts';
import type { Task } from '../task/task.ts';
import { taskRecord } from '../task/task.ts';
import type { Change, Fields } from '../task/tasks.ts';
import { changeTask } from '../task/change.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

const UpdateTaskInput = z.strictObject({
  task_id: taskIdInput,
  title: told(lineInput.optional(), { en: 'What is to be done, in a line', ja: 'すること (1 行で)' }),
  description: told(longInput.optional(), { en: 'What is to be done, in full', ja: 'すること (詳しく)' }),
  status: told(statusSchema.optional(), { en: 'The state to move to', ja: '移る先の状態' }),
  priority: told(prioritySchema.optional(), {
    en: 'The more urgent one is started first',
    ja: '優先度。緊急なものから始まります',
  }),
  assignee_id: told(z.string().nullable().optional(), { en: 'null: nobody', ja: '担当のエージェント (null で解除)' }),
  depends_on: told(idsInput.optional(), {
    en: 'Tasks that must be done before it can start',
    ja: '先に終わらせるタスク',
  }),
  process_id: told(z.string().nullable().optional(), {
    en: 'Only before it starts; null: none',
    ja: 'ゲートのプロセス (開始前だけ変更できます。null で解除)',
  }),
  acceptance: told(manyTexts.optional(), { en: 'What must hold when it is done', ja: '完了のときに満たすべきこと' }),
  parent_id: told(z.string().nullable().optional(), { en: 'null: none', ja: '親のタスク (null で解除)' }),
  labels: told(labelsInput.optional(), { en: 'Words to find it by', ja: '検索用の語' }),
  expected_revision: told(z.int().optional(), {
    en: 'Refuse it where the task has changed since',
    ja: 'タスクがその後変わっていれば拒否',
  }),
  reason: told(longInput.min(1).optional(), { en: 'Why; the journal keeps it', ja: '理由 (ジャーナルに残ります)' }),
  force: told(z.boolean().optional(), {
    en: 'Close it although its process is not over; needs a reason',
    ja: 'プロセスが終わっていなくても完了にします (理由が必要)',
  }),
});
type UpdateTask = z.output<typeof UpdateTaskInput>;

export const updateTask = defineOperation({
  name: 'update_task',
  toolsets: ['admin'],
  effect: 'write',
  summary: {
    en: 'Change a task. Only what is given changes; edits of different fields do not undo each other.',
    ja: 'タスクを変更します。指定した項目だけが変わります。別々の項目の変更は、互いに打ち消しません。',
  },
  example: '--task-id tsk_… --priority urgent',
  input: UpdateTaskInput,
  output: z.object({ success, task: taskSchema }),
  async run(context, input) {
    const task = await changeTask(
      context,
      input.task_id,
      (current) => decide(context, current, input),
      input.expected_revision,
    );
    return { success: true as const, task: taskRecord(task) };
  },
});

async function decide(context: Context, task: Task, input: UpdateTask): Promise<Change> {
  if (input.assignee_id != null && input.assignee_id !== task.assigneeId)
    await requireMember(context, input.assignee_id, task.projectId);
  if (input.process_id != null) await findDefinition(context, input.process_id);
  const seen = await checkRelations(context, task, {
    dependsOn: input.depends_on ?? [],
    parentId: input.parent_id ?? null,
  });
  if (input.process_id !== undefined && input.process_id !== task.processId && task.startedAt !== null)
    throw problem.TASK_STARTED({ task_id: task.id });
  const plain = fieldsOf(input);
  const gone = plain.assigneeId !== undefined && plain.assigneeId !== task.assigneeId;
  const note = input.reason === undefined ? {} : { reason: input.reason };
  if (input.status === undefined || input.status === task.status)
    return { fields: { ...plain, ...(gone && { session: null }) }, seen, note };
  const move = await moveTask(
    context,
    { ...task, ...plain },
    {
      to: input.status,
      ...note,
      force: input.force === true && input.reason !== undefined,
    },
  );
  return { ...move, fields: { ...plain, ...move.fields }, seen };
}

function fieldsOf(input: UpdateTask): Partial<Fields> {
  return {
    ...(input.title !== undefined && { title: input.title }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.priority !== undefined && { priority: input.priority }),
    ...(input.assignee_id !== undefined && { assigneeId: input.assignee_id }),
    ...(input.depends_on !== undefined && { dependsOn: [...new Set(input.depends_on)].toSorted() }),
    ...(input.process_id !== undefined && { processId: input.process_id }),
    ...(input.acceptance !== undefined && { acceptance: listOf(input.acceptance) }),
    ...(input.parent_id !== undefined && { parentId: input.parent_id }),
    ...(input.labels !== undefined && { labels: input.labels }),
  };
}
