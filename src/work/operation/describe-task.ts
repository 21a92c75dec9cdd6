import * as z from 'zod';
import { runPositionQuery } from '../../gate/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { text } from '../../kernel/store/row.ts';
import { handoffSchema, linkSchema, movesOutput, success, taskIdInput, taskRunSchema, taskSchema } from '../shapes.ts';
import { handoffRecord } from '../task/handoffs.ts';
import { graphOf, graphQueries, taskLink, taskRun } from '../task/links.ts';
import { moves, taskRecord } from '../task/task.ts';
import { taskRecords } from '../task/task-tree.ts';
import { readTask } from '../task/tasks.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

const mostListed = 100;

export const describeTask = defineOperation({
  name: 'describe_task',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'A task with its possible moves, its run, its subtasks, its hand-offs and the graph of its dependencies.',
  ),
  example: '--task-id tsk_…',
  input: z.strictObject({ task_id: taskIdInput }),
  output: z.object({
    success,
    task: taskSchema,
    project_name: z.string(),
    moves: movesOutput,
    run: taskRunSchema.nullable(),
    parent: linkSchema.nullable(),
    children: described(z.array(linkSchema), 'At most 100'),
    handoffs: described(z.array(handoffSchema), 'Newest first, at most 100'),
    graph: z.object({
      tasks: z.array(linkSchema),
      edges: z.array(z.object({ from: z.string(), to: described(z.string(), 'The task that depends on the other') })),
      is_cut: described(z.boolean(), 'True if tasks are left out'),
    }),
  }),
  async run(context, input) {
    const id = await resolveTaskId(context, input.task_id);
    const task = await readTask(context, id);
    const [near, edges] = graphQueries(id);
    const [nodes = [], arrows = [], [project] = [], [run] = [], [parent] = [], children = [], handoffs = []] =
      await context.store.read([
        near,
        edges,
        { sql: 'select name from work_project where id = :id', args: { id: task.projectId } },
        runPositionQuery({ sql: ':run', args: { run: task.runId ?? '' } }),
        { sql: 'select id, number, title, status from work_task where id = :id', args: { id: task.parentId ?? '' } },
        {
          sql: `select id, number, title, status from work_task where parent_id = :id order by ord limit ${mostListed}`,
          args: { id },
        },
        { sql: `select * from work_handoff where task_id = :id order by id desc limit ${mostListed}`, args: { id } },
      ]);
    const [record] = await taskRecords(context, [task]);
    return {
      success: true as const,
      task: record ?? taskRecord(task),
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
