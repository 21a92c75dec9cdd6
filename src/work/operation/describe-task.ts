import * as z from 'zod';
import { standingQuery } from '../../gate/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { text } from '../../kernel/store/row.ts';
import { handoffSchema, linkSchema, statusSchema, success, taskIdInput, taskRunSchema, taskSchema } from '../shapes.ts';
import { handoffRecord } from '../task/handoffs.ts';
import { graphOf, graphQueries, taskLink, taskRun } from '../task/links.ts';
import { moves, taskRecord } from '../task/task.ts';
import { readTask } from '../task/tasks.ts';
import { told } from '../../kernel/text/described.ts';

const mostListed = 100;

export const describeTask = defineOperation({
  name: 'describe_task',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'A task with all that hangs on it: where it can go, its run, its parts, every hand-off, and the graph of what comes before and after it.',
    ja: 'タスクと関連するものすべてです。移れる状態、run、子タスク、引き継ぎ、前後関係の図を返します。',
  },
  example: '--task-id tsk_…',
  input: z.strictObject({ task_id: taskIdInput }),
  output: z.object({
    success,
    task: taskSchema,
    project_name: z.string(),
    moves: told(z.array(statusSchema).readonly(), {
      en: 'The states it can go to from here',
      ja: 'ここから移れる状態',
    }),
    run: taskRunSchema.nullable(),
    parent: linkSchema.nullable(),
    children: told(z.array(linkSchema), { en: 'At most 100', ja: '最大 100 件' }),
    handoffs: told(z.array(handoffSchema), { en: 'Newest first, at most 100', ja: '新しい順、最大 100 件' }),
    graph: z.object({
      tasks: z.array(linkSchema),
      edges: z.array(
        z.object({
          from: z.string(),
          to: told(z.string(), { en: 'Waits for the other', ja: 'もう一方を待っています' }),
        }),
      ),
      is_cut: told(z.boolean(), { en: 'There are more', ja: '続きがあります' }),
    }),
  }),
  async run(context, { task_id: id }) {
    const task = await readTask(context, id);
    const [near, edges] = graphQueries(id);
    const [nodes = [], arrows = [], [project] = [], [run] = [], [parent] = [], children = [], handoffs = []] =
      await context.store.read([
        near,
        edges,
        { sql: 'select name from work_project where id = :id', args: { id: task.projectId } },
        standingQuery({ sql: ':run', args: { run: task.runId ?? '' } }),
        { sql: 'select id, title, status from work_task where id = :id', args: { id: task.parentId ?? '' } },
        {
          sql: `select id, title, status from work_task where parent_id = :id order by ord limit ${mostListed}`,
          args: { id },
        },
        { sql: `select * from work_handoff where task_id = :id order by id desc limit ${mostListed}`, args: { id } },
      ]);
    return {
      success: true as const,
      task: taskRecord(task),
      project_name: project === undefined ? task.projectId : text(project, 'name'),
      moves: moves[task.status],
      run: run === undefined ? null : taskRun(run),
      parent: parent === undefined ? null : taskLink(parent),
      children: children.map(taskLink),
      handoffs: handoffs.map(handoffRecord),
      graph: graphOf(nodes, arrows),
    };
  },
});
