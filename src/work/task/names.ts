import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';

/** Reads the names of agents and projects, for people. A name that two of them have is not shown: the id is. */
export async function readNames(context: Context): Promise<{ readonly of: (id: string) => string }> {
  const found = await context.store.read(
    ['work_agent', 'work_project'].map((table) => ({
      sql: `select id, name from ${table} g
        where not exists (select 1 from ${table} o where o.name = g.name and o.id <> g.id)`,
      args: {},
    })),
  );
  const known = new Map(found.flat().map((row) => [text(row, 'id'), text(row, 'name')]));
  return { of: (id) => known.get(id) ?? id };
}
