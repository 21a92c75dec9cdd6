import { instanceOf } from '../../kernel/identity.ts';
import type { Context, Project } from '../../kernel/context.ts';
import type { Query, Write } from '../../kernel/store.ts';

/** One instance of an agent in one project, however many connections, hooks and shells it has. */
export function instanceHolder(instance: { readonly agentId: string; readonly projectId: string }): string {
  return `instance:${instance.agentId}/${instance.projectId}`;
}

export function isHolder(runId: string | undefined): runId is string {
  return runId?.startsWith('instance:') === true;
}

export function connectionHolder(connectionId: string): string {
  return `connection:${connectionId}`;
}

/** A worktree that was given a run of its own; empty for a main checkout, whose run is the project's. */
export function treeHolder({ root, tree }: Pick<Project, 'root' | 'tree'>): string {
  return tree === root ? '' : `tree:${tree}`;
}

/** The holders that this call belongs to; empty where there is none. */
export interface Holders {
  readonly connection: string;
  readonly instance: string;
  readonly tree: string;
}

export const noHolders: Holders = { connection: '', instance: '', tree: '' };

export function holdersOf(context: Pick<Context, 'connection' | 'settings' | 'project'>): Holders {
  const { connection } = context;
  const instance = instanceOf(context);
  return {
    connection: connection === undefined ? '' : connectionHolder(connection.id),
    instance: instance === undefined ? '' : instanceHolder(instance),
    tree: treeHolder(context.project),
  };
}

/** The run that the holders hold, else the project's current one. A worktree whose own run has ended has the project's again. */
function heldRun(project: string, { connection, instance, tree }: Holders): Query {
  // Whoever is not there holds nothing: it need not be looked up, and most calls have none but a connection.
  const args: Record<string, string> = {};
  const found: string[] = [];
  for (const [name, holder] of [
    ['connection', connection],
    ['instance', instance],
    ['tree', tree],
    ['project', project],
  ] as const) {
    if (holder === '') continue;
    args[name] = holder;
    found.push(lookUp[name]);
  }
  return { sql: found.length > 1 ? `coalesce(${found.join(', ')})` : (found[0] ?? 'null'), args };
}

const lookUp = {
  connection: '(select run_id from run_holder where holder = :connection)',
  instance: '(select run_id from run_holder where holder = :instance)',
  tree: `(select run_id from run_holder join run on run.id = run_holder.run_id where holder = :tree and run.is_final = 0)`,
  project: '(select run_id from current_run where project = :project)',
};

/** The run that binds: by its id where it is named, else as it is held. */
export function namedOrHeld(project: string, runId: string | undefined, holders: Holders): Query {
  if (runId === undefined || isHolder(runId)) return heldRun(project, holders);
  return { sql: ':run', args: { run: runId } };
}

export function heldRunQuery(project: string, holders: Holders): Query {
  const { sql, args } = heldRun(project, holders);
  return { sql: `select ${sql} as run_id`, args };
}

/** A run that was given up binds its project no more, where it did; `instead` does. */
export function giveUpWrite(project: string, runId: string, instead: string | undefined): Write {
  const args = { project, before: runId };
  return instead === undefined
    ? { sql: 'delete from current_run where project = :project and run_id = :before', args }
    : {
        sql: 'update current_run set run_id = :run where project = :project and run_id = :before',
        args: { ...args, run: instead },
      };
}

/** From now on this run binds the holder. */
export function holdWrite(holder: string, runId: string): Write {
  return {
    sql: `insert into run_holder (holder, run_id) values (:holder, :run) on conflict (holder) do update set run_id = excluded.run_id`,
    args: { holder, run: runId },
  };
}

/** All connections that a query of another module names, in its column `connection`. */
export function letGoConnectionsWrite(connections: Query): Write {
  return {
    sql: `delete from run_holder where holder in (select 'connection:' || named.connection from (${connections.sql}) as named)`,
    args: connections.args,
  };
}

export function letGoWrite(holder: string): Write {
  return { sql: 'delete from run_holder where holder = :holder', args: { holder } };
}
