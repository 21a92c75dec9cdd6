import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Entry } from '../../kernel/store/store.ts';
import { idsInput, labelsInput, lineInput, listOf, longInput, manyTexts, prioritySchema } from '../shapes.ts';
import { problem } from '../problem.ts';
import { commitBatch } from './change.ts';
import { checkDrafts } from './drafts.ts';
import { numberProjects } from './number.ts';
import { planWrites } from './plan.ts';
import { resolveTaskId } from './reference.ts';
import { type NewTask, insertTasks } from './tasks.ts';
import { described } from '../words.ts';

/** The input fields of a new task, for `create_task` and `create_tasks`. */
export const draftFields = {
  title: described(lineInput, 'What to do, in one line'),
  description: described(longInput.optional(), 'What to do, in detail'),
  assignee_id: described(z.string().optional(), 'An agent that is assigned to the project'),
  priority: described(prioritySchema.default('medium'), 'More urgent tasks start first'),
  depends_on: described(idsInput.optional(), 'Tasks that must be done before it can start'),
  process_id: described(z.string().optional(), 'A process of the gate; the task can be done when its run is over'),
  acceptance: described(manyTexts.optional(), 'Acceptance criteria'),
  parent_id: described(z.string().optional(), 'The parent task'),
  labels: described(labelsInput.optional(), 'Labels to find it by'),
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

/** The draft with the ids of the tasks that it names by number. `idOf` knows the tasks of the same call. */
export async function resolveRelations(
  context: Context,
  projectId: string,
  draft: Draft,
  idOf: (name: string) => string | undefined = () => undefined,
): Promise<Draft> {
  const find = async (name: string) => idOf(name) ?? resolveTaskId(context, name, projectId);
  return {
    ...draft,
    ...(draft.parent_id !== undefined && { parent_id: await find(draft.parent_id) }),
    depends_on: await Promise.all((draft.depends_on ?? []).map(find)),
  };
}

/** Creates all of the tasks or none, in this order. */
export async function createTasks(context: Context, drafts: readonly NewTask[]): Promise<void> {
  await numberProjects(context);
  await retry(
    async () => {
      const seen = await checkDrafts(context, drafts);
      const writes = [...planWrites(...seen), ...insertTasks(context, drafts)];
      const entries = drafts.map((one) => createdEntry(context, one));
      return (await commitBatch(context, { writes, entries })) ? true : again;
    },
    () => problem.PLAN_BUSY(),
  );
}

function createdEntry(context: Context, task: NewTask): Entry {
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
