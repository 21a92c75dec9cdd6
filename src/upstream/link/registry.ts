import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/journal.ts';
import type { Row } from '../../kernel/store.ts';
import { endFamily, hostKey, startOf } from './family.ts';

/** What a server process says about one of its upstreams, for every other process to see. */
export interface LinkRecord {
  readonly id: string;
  readonly upstream: string;
  readonly state: string;
  readonly cause: string | null;
  readonly reconnects: number;
  readonly marker: string | null;
  readonly pid: number | null;
}

let self: Promise<{ host: string; started: string }> | undefined;

function whoami(): Promise<{ host: string; started: string }> {
  return (self ??= Promise.all([hostKey(), startOf(process.pid)]).then(([host, started]) => ({
    host,
    started: started ?? '',
  })));
}

/** Written before a process is started, so that a server that is killed in between leaves a trace of it. */
export async function recordLink(context: Context, link: LinkRecord, kind: string): Promise<void> {
  const { host, started } = await whoami();
  const pidStarted = link.pid === null ? null : ((await startOf(link.pid)) ?? null);
  await context.store.commit(
    [
      {
        sql: `insert into upstream_link
            (id, host, owner_pid, owner_started, project, upstream, state, cause, reconnects, marker, pid, pid_started, since)
          values (:id, :host, :owner, :started, :project, :upstream, :state, :cause, :reconnects, :marker, :pid, :pidStarted, :at)
          on conflict (id) do update set state = excluded.state, cause = excluded.cause, reconnects = excluded.reconnects,
            marker = excluded.marker, pid = excluded.pid, pid_started = excluded.pid_started, since = excluded.since`,
        args: {
          id: link.id,
          host,
          owner: process.pid,
          started,
          project: context.project.key,
          upstream: link.upstream,
          state: link.state,
          cause: link.cause,
          reconnects: link.reconnects,
          marker: link.marker,
          pid: link.pid,
          pidStarted,
          at: context.now().toISOString(),
        },
      },
    ],
    [entry(context, link.upstream, kind, { state: link.state, ...(link.cause !== null && { cause: link.cause }) })],
  );
}

export async function forgetLink(context: Context, link: LinkRecord): Promise<void> {
  await context.store.commit(
    [{ sql: 'delete from upstream_link where id = :id', args: { id: link.id } }],
    [entry(context, link.upstream, 'upstream.closed', {})],
  );
}

/** Ends the processes of upstreams whose server was killed, and forgets what dead servers said. */
export async function sweep(context: Context): Promise<number> {
  const { host } = await whoami();
  const [rows = []] = await context.store.read([
    {
      sql: 'select id, owner_pid, owner_started, upstream, marker, pid, pid_started from upstream_link where host = :host',
      args: { host },
    },
  ]);
  let ended = 0;
  for (const row of rows) {
    if (await ownerLives(row)) continue;
    if (row['marker'] !== null)
      await endFamily(String(row['marker']), numberOf(row['pid']), textOf(row['pid_started']));
    const outcome = await context.store.commit(
      [{ sql: 'delete from upstream_link where id = :id', args: { id: String(row['id']) }, rows: 1 }],
      [entry(context, String(row['upstream']), 'upstream.swept', { owner_pid: Number(row['owner_pid']) })],
    );
    // Another server that starts at the same time may have been first.
    if (outcome.done) ended++;
  }
  return ended;
}

/** What live servers on this machine, and all others, say about an upstream. */
export async function readLinks(context: Context): Promise<readonly Row[]> {
  const { host } = await whoami();
  const [rows = []] = await context.store.read([
    {
      sql: `select host, owner_pid, owner_started, upstream, state, cause, reconnects, pid, since from upstream_link
        where project = :project order by upstream, since`,
      args: { project: context.project.key },
    },
  ]);
  const alive = await Promise.all(rows.map(async (row) => row['host'] !== host || (await ownerLives(row))));
  return rows.filter((_, index) => alive[index]);
}

async function ownerLives(row: Row): Promise<boolean> {
  return (await startOf(Number(row['owner_pid']))) === row['owner_started'];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
