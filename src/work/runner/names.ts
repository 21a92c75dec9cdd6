import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import type { PairId } from './start.ts';

/** Cache of the names of agents and projects, for display: ids that were made at the same time look alike. */
export interface Names {
  learn(pairs: readonly PairId[]): Promise<void>;
  /** Returns the name, or the id if the name is not known. */
  of(id: string): string;
}

export function createNames(context: Context): Names {
  const known = new Map<string, string>();
  const find = (table: 'work_agent' | 'work_project', id: string) => ({
    sql: `select id, name from ${table} where id = :id`,
    args: { id },
  });
  return {
    async learn(pairs) {
      const queries = pairs
        .filter(({ agentId, projectId }) => !known.has(agentId) || !known.has(projectId))
        .flatMap(({ agentId, projectId }) => [find('work_agent', agentId), find('work_project', projectId)]);
      const found = queries.length === 0 ? [] : await context.store.read(queries);
      for (const row of found.flat()) known.set(text(row, 'id'), text(row, 'name'));
    },
    of: (id) => known.get(id) ?? id,
  };
}
