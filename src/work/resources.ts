import type { Words } from '../kernel/text/text.ts';
import type { Context } from '../kernel/context.ts';
import type { Resource } from '../kernel/operation.ts';
import { defaultPageSize } from '../kernel/store/page.ts';
import type { Query, Recorded, Row } from '../kernel/store/store.ts';
import { text } from '../kernel/store/row.ts';
import { agentRecord, findAgent, projectsOf } from './session/agents.ts';
import { contextRecord, latestContextQuery } from './task/contexts.ts';
import { executionRecord, executionsQuery, findExecution } from './session/executions.ts';
import { handoffRecord, latestHandoffQuery } from './task/handoffs.ts';
import { agentsOf, findProject, projectRecord } from './task/projects.ts';
import { readPage } from './task/page.ts';
import { resolveTaskId } from './task/reference.ts';
import { taskRecord } from './task/task.ts';
import { findTask } from './task/tasks.ts';
import { words } from './words.ts';

interface TaskResource {
  readonly scheme: string;
  readonly variable: 'id' | 'taskId';
  readonly summary: Words;
  /** SQL of the list, with `:after`. Its columns are `id`, `name` and `mark`, the value of the cursor. */
  readonly listing: string;
  read(context: Context, id: string): Promise<unknown>;
  /** Returns the id of the resource that a journal entry changes. */
  changed(entry: Recorded): string | undefined;
}

const mostExecutions = 100;
const tasks = 'select id, title as name, ord as mark from work_task where ord > :after order by ord';

async function first(context: Context, query: Query): Promise<Row | undefined> {
  const [[row] = []] = await context.store.read([query]);
  return row;
}

function dataOf(entry: Recorded): Readonly<Record<string, unknown>> {
  return JSON.parse(entry.data) as Readonly<Record<string, unknown>>;
}

function taskOf(entry: Recorded): string | undefined {
  const { task } = dataOf(entry);
  return typeof task === 'string' ? task : undefined;
}

const plans: readonly TaskResource[] = [
  {
    scheme: 'agent',
    variable: 'id',
    summary: words('An agent and its projects.'),
    listing: 'select id, name, ord as mark from work_agent where ord > :after order by ord',
    async read(context, id) {
      const row = await findAgent(context, id);
      return row === undefined ? undefined : { ...agentRecord(row), projects: await projectsOf(context, id) };
    },
    changed: (entry) => (entry.kind.startsWith('identity.') ? entry.subject : undefined),
  },
  {
    scheme: 'project',
    variable: 'id',
    summary: words('A project and its agents.'),
    listing: 'select id, name, ord as mark from work_project where ord > :after order by ord',
    async read(context, id) {
      const row = await findProject(context, id);
      return row === undefined ? undefined : { ...projectRecord(row), agents: await agentsOf(context, id) };
    },
    changed: (entry) => (entry.kind.startsWith('project.') ? entry.subject : undefined),
  },
  {
    scheme: 'task',
    variable: 'id',
    summary: words('A task with all its fields.'),
    listing: tasks,
    async read(context, id) {
      const task = await findTask(context, id);
      return task === undefined ? undefined : taskRecord(task);
    },
    changed: (entry) => (entry.kind.startsWith('task.') ? entry.subject : undefined),
  },
  {
    scheme: 'context',
    variable: 'taskId',
    summary: words('The saved context of a task: progress, findings, blockers, next steps.'),
    listing: `select id, title as name, ord as mark from work_task t where ord > :after
      and exists (select 1 from work_context c where c.task_id = t.id) order by ord`,
    async read(context, id) {
      const row = await first(context, latestContextQuery(id));
      return row === undefined ? undefined : contextRecord(row);
    },
    changed: (entry) => (entry.kind === 'task.context_saved' ? entry.subject : undefined),
  },
  {
    scheme: 'handoff',
    variable: 'taskId',
    summary: words('The latest hand-off of a task.'),
    listing: `select id, title as name, ord as mark from work_task t where ord > :after
      and exists (select 1 from work_handoff h where h.task_id = t.id) order by ord`,
    async read(context, id) {
      const row = await first(context, latestHandoffQuery(id));
      return row === undefined ? undefined : handoffRecord(row);
    },
    changed: (entry) => (entry.kind.startsWith('handoff.') ? taskOf(entry) : undefined),
  },
  {
    scheme: 'execution',
    variable: 'id',
    summary: words('One execution of a task: its times, agent, result and log file.'),
    listing: `select id, agent_id || ' ' || started_at as name, id as mark from work_execution where id > :after order by id`,
    read: findExecution,
    changed: (entry) => (entry.kind.startsWith('execution.') ? entry.subject : undefined),
  },
  {
    scheme: 'executions',
    variable: 'taskId',
    summary: words('The executions of a task, newest first.'),
    listing: tasks,
    async read(context, id) {
      if ((await findTask(context, id)) === undefined) return undefined;
      const [rows = []] = await context.store.read([executionsQuery(id, mostExecutions)]);
      return rows.map((row) => executionRecord(row, context.now()));
    },
    changed: (entry) => (entry.kind === 'execution.started' ? taskOf(entry) : undefined),
  },
];

function isOfTask({ scheme, variable }: TaskResource): boolean {
  return scheme === 'task' || variable === 'taskId';
}

/** Matches the kinds of entries that add a resource to the list or remove one. */
const listChange = /\.(created|deleted|started|imported)$/;

function toResource(plan: TaskResource): Resource {
  const uriOf = (id: string) => `${plan.scheme}://${id}`;
  return {
    uriTemplate: `${plan.scheme}://{${plan.variable}}`,
    name: plan.scheme,
    toolsets: ['work'],
    summary: plan.summary,
    mimeType: 'application/json',
    async list(context, cursor) {
      const query = { sql: plan.listing, args: {} };
      const { rows, next } = await readPage(context, query, 'mark', { limit: defaultPageSize, cursor });
      return {
        entries: rows.map((row) => ({
          uri: uriOf(text(row, 'id')),
          name: text(row, 'id'),
          description: text(row, 'name'),
        })),
        ...(next !== undefined && { nextCursor: next }),
      };
    },
    async read(context, variables) {
      const given = variables[plan.variable] ?? '';
      return plan.read(context, isOfTask(plan) ? await resolveTaskId(context, given) : given);
    },
    changed(entry) {
      const id = plan.changed(entry);
      return id === undefined ? undefined : { uris: [uriOf(id)], list: listChange.test(entry.kind) };
    },
  };
}

export const workResources: readonly Resource[] = plans.map(toResource);
