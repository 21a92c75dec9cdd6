import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/journal.ts';
import type { Entry, Write } from '../../kernel/store.ts';
import { text } from '../../kernel/row.ts';
import { insertTask } from './insert-task.ts';
import { projectRecord, projectStatuses, readProject } from './projects.ts';
import { prioritySchema, statusSchema } from '../shapes.ts';
import { selectTasks, taskRecord, toTask } from './task.ts';
import { dependencyWrite } from './tasks.ts';
import { problem } from '../problem.ts';

const pageSize = 500;

/** Projects, then tasks, each as one line. Runs, sessions and claims belong to the store that they were made in. */
export async function* exportLines(context: Context, projectId: string | undefined): AsyncIterable<string> {
  if (projectId !== undefined) await readProject(context, projectId);
  const only = (column: string) => (projectId === undefined ? '' : `${column} = :project and`);
  const args = projectId === undefined ? {} : { project: projectId };
  for await (const row of rows(
    context,
    `select * from work_project where ${only('id')} ord > :after order by ord`,
    args,
  ))
    yield JSON.stringify({ type: 'project', ...projectRecord(row) });
  const now = context.now().toISOString();
  const tasks = `${selectTasks} where ${only('t.project_id')} t.ord > :after order by t.ord`;
  for await (const row of rows(context, tasks, { ...args, now })) {
    const {
      run_id: _run,
      claimed_by: _by,
      claimed_until: _until,
      revision: _revision,
      ...task
    } = taskRecord(toTask(row));
    yield JSON.stringify({ type: 'task', ...task });
  }
}

async function* rows(context: Context, sql: string, args: Readonly<Record<string, string>>) {
  for (let after = ''; ;) {
    const [page = []] = await context.store.read([
      { sql: `${sql} limit :limit`, args: { ...args, after, limit: pageSize } },
    ]);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = text(last, 'ord');
  }
}

const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/);
const Line = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('project'),
    project_id: id,
    project_name: z.string().min(1),
    working_directory: z.string().min(1),
    status: z.enum(projectStatuses).default('active'),
  }),
  z.object({
    type: z.literal('task'),
    task_id: id,
    project_id: id,
    title: z.string().min(1),
    description: z.string().default(''),
    status: statusSchema.default('backlog'),
    priority: prioritySchema.default('medium'),
    assignee_id: z.string().nullable().default(null),
    parent_id: id.nullable().default(null),
    depends_on: z.array(id).default([]),
    labels: z.array(z.string()).default([]),
    acceptance: z.array(z.string()).default([]),
    process_id: z.string().nullable().default(null),
    created_at: z.iso.datetime().optional(),
  }),
]);
type Line = z.output<typeof Line>;

export interface Imported {
  readonly projects: number;
  readonly tasks: number;
  /** Those whose id is there already: they stay as they are. */
  readonly skipped: number;
}

/** All or nothing. What is there already stays; an assignee who is unknown here is dropped. */
export async function importLines(context: Context, content: string): Promise<Imported> {
  const lines = content
    .split('\n')
    .flatMap((raw, index) => (raw.trim() === '' ? [] : [{ number: index + 1, ...parse(raw, index + 1) }]));
  const known = await knownIds(context);
  const fresh = lines.filter(({ line }) => !known.has(idOf(line)));
  const names = new Set(fresh.map(({ line }) => idOf(line)));
  const there = (one: string) => known.has(one) || names.has(one);
  const first: Write[] = [];
  const then: Write[] = [];
  const entries: Entry[] = [];
  for (const { number, line } of fresh) {
    const at = context.now().toISOString();
    if (line.type === 'project') {
      first.unshift(projectWrite(context, line, at));
      entries.push(entry(context, line.project_id, 'project.imported', { name: line.project_name }));
      continue;
    }
    const missing = [line.project_id, ...line.depends_on, ...(line.parent_id === null ? [] : [line.parent_id])].find(
      (one) => !there(one),
    );
    if (missing !== undefined)
      throw problem.IMPORT_INVALID({ line: number, reason: `"${missing}" is neither here nor in the file` });
    const assignee = line.assignee_id !== null && known.has(line.assignee_id) ? line.assignee_id : null;
    first.push(
      ...insertTask(context, { ...taskOf(line), assigneeId: assignee, parentId: null, dependsOn: [] }, line.created_at),
    );
    if (line.parent_id !== null)
      then.push({
        sql: 'update work_task set parent_id = :parent where id = :id',
        args: { id: line.task_id, parent: line.parent_id },
      });
    then.push(...line.depends_on.map((other) => dependencyWrite(line.task_id, other)));
    entries.push(
      entry(context, line.task_id, 'task.imported', {
        project: line.project_id,
        title: line.title,
        status: line.status,
      }),
    );
  }
  const [head, ...rest] = entries;
  if (head !== undefined) {
    const outcome = await context.store.commit([...first, ...then], [head, ...rest]);
    if (!outcome.done) throw problem.IMPORT_INVALID({ line: 0, reason: 'the store changed meanwhile; try again' });
  }
  const projects = fresh.filter(({ line }) => line.type === 'project').length;
  return { projects, tasks: fresh.length - projects, skipped: lines.length - fresh.length };
}

function parse(raw: string, number: number): { line: Line } {
  try {
    const parsed = Line.safeParse(JSON.parse(raw));
    if (parsed.success) return { line: parsed.data };
    const [issue] = parsed.error.issues;
    throw problem.IMPORT_INVALID({ line: number, reason: `${issue?.path.join('.')}: ${issue?.message}` });
  } catch (error) {
    if (error instanceof SyntaxError) throw problem.IMPORT_INVALID({ line: number, reason: 'it is no JSON' });
    throw error;
  }
}

function idOf(line: Line): string {
  return line.type === 'project' ? line.project_id : line.task_id;
}

async function knownIds(context: Context): Promise<ReadonlySet<string>> {
  const tables = ['work_project', 'work_task', 'work_agent'];
  const found = await context.store.read(tables.map((table) => ({ sql: `select id from ${table}`, args: {} })));
  return new Set(found.flat().map((row) => text(row, 'id')));
}

function projectWrite(context: Context, line: Extract<Line, { type: 'project' }>, at: string): Write {
  return {
    sql: `insert into work_project (id, ord, name, working_directory, status, created_at, updated_at)
      values (:id, :ord, :name, :folder, :status, :at, :at)`,
    args: {
      id: line.project_id,
      ord: context.newId(''),
      name: line.project_name,
      folder: line.working_directory,
      status: line.status,
      at,
    },
    rows: 1,
  };
}

function taskOf(line: Extract<Line, { type: 'task' }>) {
  return {
    id: line.task_id,
    projectId: line.project_id,
    title: line.title,
    description: line.description,
    status: line.status,
    priority: line.priority,
    labels: line.labels,
    acceptance: line.acceptance,
    processId: line.process_id,
  };
}
