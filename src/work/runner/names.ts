import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import { inHand } from '../session/pairs.ts';
import type { PairId } from './start.ts';

/** Cache of the names of agents, projects and tasks, for display: ids that were made at the same time look alike. */
export interface Names {
  learn(pairs: readonly PairId[]): Promise<void>;
  /** Returns the name, or the id if the name is not known. */
  of(id: string): string;
  /** Returns the title of the task that a pair has, or had last. */
  taskOf(pair: PairId): string | undefined;
}

export function createNames(context: Context): Names {
  const known = new Map<string, string>();
  const tasks = new Map<string, string>();
  const find = (table: 'work_agent' | 'work_project', id: string) => ({
    sql: `select id, name from ${table} where id = :id`,
    args: { id },
  });
  return {
    async learn(pairs) {
      const queries = pairs
        .filter(({ agentId, projectId }) => !known.has(agentId) || !known.has(projectId))
        .flatMap(({ agentId, projectId }) => [find('work_agent', agentId), find('work_project', projectId)]);
      const found = await context.store.read([...pairs.map(taskQuery), ...queries]);
      for (const [index, pair] of pairs.entries())
        for (const row of found[index] ?? []) tasks.set(keyOf(pair), text(row, 'title'));
      for (const row of found.slice(pairs.length).flat()) known.set(text(row, 'id'), text(row, 'name'));
    },
    of: (id) => known.get(id) ?? id,
    taskOf: (pair) => tasks.get(keyOf(pair)),
  };
}

/** The task that the pair is started for: the oldest in progress, else one that was handed over. */
function taskQuery({ agentId: agent, projectId: project }: PairId) {
  return {
    sql: `select t.title from work_task t where (${inHand}) or exists (
        select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id = :agent
          and h.project_id = :project and t.status not in ('done', 'cancelled'))
      order by case when t.status = 'in_progress' and t.assignee_id = :agent then 0 else 1 end, t.started_at, t.ord limit 1`,
    args: { agent, project },
  };
}

function keyOf({ agentId, projectId }: PairId): string {
  return JSON.stringify([agentId, projectId]);
}
