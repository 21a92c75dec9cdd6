import type { Query, Row, Write } from '../kernel/store/store.ts';
import { optional, parsed, text } from '../kernel/store/row.ts';

/** What a task or an agent made, with the tree in which it was made. */
export interface Change {
  readonly id: string;
  readonly project: string;
  readonly owner: string;
  readonly title: string;
  readonly state: string;
  readonly branch: string;
  readonly target: string;
  readonly parent: string | null;
  /** The commit on which the work starts. */
  readonly base: string;
  /** The last commit that was recorded; null before the first. */
  readonly head: string | null;
  readonly reportedBy: string | null;
  readonly machine: string;
  /** The top of the main checkout. */
  readonly repository: string;
  /** The top of the tree. */
  readonly path: string;
  readonly filtered: Readonly<Record<string, string>>;
  readonly setup: string | null;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  readonly revision: number;
}

/** A change as tools show it. */
export interface ChangeRecord {
  readonly change_id: string;
  readonly branch: string;
  readonly commit: string | null;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  readonly state: string;
}

export function taskOwner(taskId: string): string {
  return `task:${taskId}`;
}

export function agentOwner(agentId: string): string {
  return `agent:${agentId}`;
}

export function toChange(row: Row): Change {
  return {
    id: text(row, 'id'),
    project: text(row, 'project'),
    owner: text(row, 'owner'),
    title: text(row, 'title'),
    state: text(row, 'state'),
    branch: text(row, 'branch'),
    target: text(row, 'target'),
    parent: optional(row, 'parent'),
    base: text(row, 'base'),
    head: optional(row, 'head'),
    reportedBy: optional(row, 'reported_by'),
    machine: text(row, 'machine'),
    repository: text(row, 'repository'),
    path: text(row, 'path'),
    filtered: (parsed(row, 'filtered') ?? {}) as Readonly<Record<string, string>>,
    setup: optional(row, 'setup'),
    files: Number(row['files']),
    additions: Number(row['additions']),
    deletions: Number(row['deletions']),
    revision: Number(row['revision']),
  };
}

export function changeRecord(change: Change): ChangeRecord {
  const { id, branch, head, files, additions, deletions, state } = change;
  return { change_id: id, branch, commit: head, files, additions, deletions, state };
}

/** Selects the newest change of each of these owners. */
export function changesQuery(owners: readonly string[]): Query {
  const names = owners.map((_, index) => `:owner${index}`).join(', ');
  return {
    sql: `select c.* from change c where c.owner in (${names === '' ? `''` : names})
      and not exists (select 1 from change n where n.owner = c.owner and n.round > c.round)`,
    args: Object.fromEntries(owners.map((owner, index) => [`owner${index}`, owner])),
  };
}

export function changeQuery(id: string): Query {
  return { sql: 'select * from change where id = :id', args: { id } };
}

/** Selects the changes of tasks on a machine in which nothing was recorded. */
export function emptyTaskChangesQuery(machine: string): Query {
  return {
    sql: `select * from change where machine = :machine and head is null and owner like 'task:%'`,
    args: { machine },
  };
}

/** Selects the change whose tree is this folder. */
export function treeQuery(machine: string, path: string): Query {
  return { sql: 'select * from change where machine = :machine and path = :path', args: { machine, path } };
}

/** Sets columns of a change. A conflict if it has changed since it was read. */
export function updateChange(
  change: Change,
  at: string,
  columns: Readonly<Record<string, string | number | null>>,
): Write {
  const sets = Object.keys(columns).map((name) => `${name} = :${name}`);
  return {
    sql: `update change set ${[...sets, 'updated_at = :at', 'revision = revision + 1'].join(', ')} where id = :id and revision = :was`,
    args: { ...columns, id: change.id, was: change.revision, at },
    rows: 1,
  };
}
