import type { Query, Row, Write } from '../../kernel/store/store.ts';

export function capacityQuery(project: string): Query {
  return { sql: 'select revision from fleet_capacity where project = :project', args: { project } };
}

/** Builds the writes that take capacity. They conflict if others took some; a freed one cannot invalidate them. */
export function capacityWrites(project: string, row: Row | undefined): readonly Write[] {
  if (row === undefined)
    return [{ sql: 'insert into fleet_capacity (project, revision) values (:project, 1)', args: { project }, rows: 1 }];
  return [
    {
      sql: 'update fleet_capacity set revision = revision + 1 where project = :project and revision = :revision',
      args: { project, revision: Number(row['revision']) },
      rows: 1,
    },
  ];
}
