import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Entry } from '../../kernel/store/store.ts';
import { idsInput, labelsInput, lineInput, listOf, longInput, manyTexts, prioritySchema } from '../shapes.ts';
import { problem } from '../problem.ts';
import { checkDrafts } from './drafts.ts';
import { planWrites } from './plan.ts';
import type { NewTask } from './tasks.ts';
import { insertTasks } from './tasks.ts';
import { told } from '../../kernel/text/described.ts';

/** What a new task may have, in `create_task` and in each of `create_tasks`. */
export const draftFields = {
  title: told(lineInput, { en: 'What is to be done, in a line', ja: 'すること (1 行で)' }),
  description: told(longInput.optional(), { en: 'What is to be done, in full', ja: 'すること (詳しく)' }),
  assignee_id: told(z.string().optional(), {
    en: 'An agent that is assigned to the project',
    ja: 'プロジェクトに割り当てられたエージェント',
  }),
  priority: told(prioritySchema.default('medium'), {
    en: 'The more urgent one is started first',
    ja: '優先度。緊急なものから始まります',
  }),
  depends_on: told(idsInput.optional(), {
    en: 'Tasks that must be done before it can start',
    ja: '先に終わらせるタスク',
  }),
  process_id: told(z.string().optional(), {
    en: 'A process of the gate; it is done when its run is over',
    ja: 'ゲートのプロセス。その run が終わるとタスクを完了にできます',
  }),
  acceptance: told(manyTexts.optional(), { en: 'What must hold when it is done', ja: '完了のときに満たすべきこと' }),
  parent_id: told(z.string().optional(), { en: 'The task that it is a part of', ja: '親のタスク' }),
  labels: told(labelsInput.optional(), { en: 'Words to find it by', ja: '検索用の語' }),
};

const Draft = z.object(draftFields);
export type Draft = z.output<typeof Draft>;

export function newTask(context: Context, projectId: string, id: string, input: Draft): NewTask {
  const at = context.now().toISOString();
  return {
    id,
    projectId,
    title: input.title,
    description: input.description ?? '',
    status: 'backlog',
    priority: input.priority,
    assigneeId: input.assignee_id ?? null,
    assignedAt: input.assignee_id === undefined ? null : at,
    parentId: input.parent_id ?? null,
    dependsOn: [...new Set(input.depends_on)],
    labels: input.labels ?? [],
    acceptance: listOf(input.acceptance ?? []),
    processId: input.process_id ?? null,
    runId: null,
    summary: null,
    createdAt: at,
    updatedAt: at,
    startedAt: null,
    completedAt: null,
  };
}

/** All of them or none, in this order. */
export async function createTasks(context: Context, drafts: readonly NewTask[]): Promise<void> {
  await retry(
    async () => {
      const seen = await checkDrafts(context, drafts);
      const outcome = await context.store.commit(
        [...planWrites(...seen), ...insertTasks(context, drafts)],
        drafts.map((one) => created(context, one)) as [Entry, ...Entry[]],
      );
      return outcome.done ? true : again;
    },
    () => problem.PLAN_BUSY(),
  );
}

function created(context: Context, task: NewTask): Entry {
  return entry(context, task.id, 'task.created', {
    project: task.projectId,
    title: task.title,
    description: task.description,
    priority: task.priority,
    assignee_id: task.assigneeId,
    parent_id: task.parentId,
    depends_on: task.dependsOn,
    labels: task.labels,
    acceptance: task.acceptance,
    process_id: task.processId,
  });
}
