import { instanceOf } from '../../kernel/identity.ts';
import type { Context } from '../../kernel/context.ts';
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

/** The holders that this call belongs to; empty where there is none. */
export interface Holders {
  readonly connection: string;
  readonly instance: string;
}

export const noHolders: Holders = { connection: '', instance: '' };

export function holdersOf(context: Pick<Context, 'connection' | 'settings'>): Holders {
  const { connection } = context;
  const instance = instanceOf(context);
  return {
    connection: connection === undefined ? '' : connectionHolder(connection.id),
    instance: instance === undefined ? '' : instanceHolder(instance),
  };
}

/** The run that the holders hold, else the project's current one. */
export const heldRun = `coalesce((select run_id from run_holder where holder = :connection),
  (select run_id from run_holder where holder = :instance), (select run_id from current_run where project = :project))`;

export function heldRunQuery(project: string, holders: Holders): Query {
  return { sql: `select ${heldRun} as run_id`, args: { project, ...holders } };
}

/** From now on this run binds the holder. */
export function holdWrite(holder: string, runId: string): Write {
  return {
    sql: `insert into run_holder (holder, run_id) values (:holder, :run) on conflict (holder) do update set run_id = excluded.run_id`,
    args: { holder, run: runId },
  };
}

export function letGoWrite(holder: string): Write {
  return { sql: 'delete from run_holder where holder = :holder', args: { holder } };
}
