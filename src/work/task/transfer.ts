import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import { projectRecord, readProject } from './projects.ts';
import { type Task, selectTasks, taskRecord, toTask } from './task.ts';

const pageSize = 500;

/** Exports projects, then tasks, one per line, without runs, sessions and claims: those belong to this store. */
export async function* exportLines(context: Context, projectId: string | undefined): AsyncIterable<string> {
  if (projectId !== undefined) await readProject(context, projectId);
  const only = (column: string) => (projectId === undefined ? '' : `${column} = :project and`);
  const args = projectId === undefined ? {} : { project: projectId };
  const projects = `select p.*, (select string_agg(a.agent_id, ',') from work_assignment a where a.project_id = p.id) as agents
    from work_project p where ${only('p.id')} p.ord > :after order by p.ord`;
  for await (const row of rows(context, projects, args)) {
    const agents = row['agents'] === null ? [] : text(row, 'agents').split(',').toSorted();
    yield JSON.stringify({ type: 'project', ...projectRecord(row), agents });
  }
  const now = context.now().toISOString();
  const tasks = `${selectTasks} where ${only('t.project_id')} t.ord > :after order by t.ord`;
  for await (const row of rows(context, tasks, { ...args, now })) yield taskLine(toTask(row));
}

function taskLine(task: Task): string {
  const record = taskRecord(task);
  const { run_id: _run, claimed_by: _by, claimed_until: _until, revision: _revision, ...rest } = record;
  const { reported: _reported, attempts: _attempts, ...kept } = rest;
  return JSON.stringify({ type: 'task', ...kept, assigned_at: task.assignedAt });
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
