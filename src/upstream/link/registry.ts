import type { Context } from '../../kernel/context.ts';
import type { OpenMatter } from '../../kernel/notice.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Row } from '../../kernel/store/store.ts';
import { optional, text, readRows } from '../../kernel/store/row.ts';
import { type Reason, inLang } from '../../kernel/text/text.ts';
import { type Identity, isAlive, startOf, thisProcess } from '../../machine/identity.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import { type Tree, endTree } from '../../machine/tree.ts';
import { phrase } from '../problem.ts';

/** The variable that marks an upstream's process and every process it starts. */
export const upstreamMarker = 'SEKISHO_UPSTREAM';

/** Describes an upstream's process tree, including browsers that left its process group. */
export function processTreeOf(marker: string, root: Tree['root']): Tree {
  return { mark: { name: upstreamMarker, value: marker }, root };
}

/** The state of one upstream in one server process, stored for other processes. */
export interface LinkRecord {
  readonly id: string;
  readonly upstream: string;
  readonly state: string;
  readonly cause: Reason | undefined;
  readonly reconnects: number;
  readonly marker: string | null;
  readonly pid: number | null;
}

/** Records a link's state, before its process is started: a server that is killed in between leaves a trace of it. */
export async function recordLink(context: Context, link: LinkRecord, kind: string): Promise<void> {
  const owner = thisProcess();
  const data = { state: link.state, ...(link.cause !== undefined && { cause: inLang(link.cause, 'en') }) };
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
          host: thisMachine(),
          owner: owner.pid,
          started: owner.start,
          project: context.project.key,
          upstream: link.upstream,
          state: link.state,
          cause: link.cause === undefined ? null : JSON.stringify(link.cause),
          reconnects: link.reconnects,
          marker: link.marker,
          pid: link.pid,
          pidStarted: link.pid === null ? null : (startOf(link.pid) ?? null),
          at: context.now().toISOString(),
        },
      },
    ],
    [entry(context, link.upstream, kind, data)],
  );
}

export async function forgetLink(context: Context, link: LinkRecord): Promise<void> {
  await context.store.commit(
    [{ sql: 'delete from upstream_link where id = :id', args: { id: link.id } }],
    [entry(context, link.upstream, 'upstream.closed', {})],
  );
}

/** Ends the processes of upstreams whose server was killed, and deletes the rows of dead servers. */
export async function endOrphans(context: Context): Promise<number> {
  const rows = await readRows(
    context.store,
    'select id, owner_pid, owner_started, upstream, marker, pid, pid_started from upstream_link where host = :host',
    { host: thisMachine() },
  );
  let ended = 0;
  for (const row of rows) {
    if (ownerLives(row)) continue;
    if (row['marker'] !== null) await endTree(processTreeOf(text(row, 'marker'), rootOf(row)), 0);
    const outcome = await context.store.commit(
      [{ sql: 'delete from upstream_link where id = :id', args: { id: text(row, 'id') }, rows: 1 }],
      [entry(context, text(row, 'upstream'), 'upstream.swept', { owner_pid: Number(row['owner_pid']) })],
    );
    // Another server that starts at the same time may have been first.
    if (outcome.done) ended++;
  }
  return ended;
}

/** Reads the rows of live servers on this machine and of all servers on other machines. */
export async function readLinks(context: Context): Promise<readonly Row[]> {
  const rows = await readRows(
    context.store,
    `select host, owner_pid, owner_started, upstream, state, cause, reconnects, pid, since from upstream_link
        where project = :project order by upstream, since`,
    { project: context.project.key },
  );
  return rows.filter((row) => row['host'] !== thisMachine() || ownerLives(row));
}

function ownerLives(row: Row): boolean {
  return isAlive(Number(row['owner_pid']), text(row, 'owner_started'));
}

function rootOf(row: Row): Identity | undefined {
  const { pid, pid_started: start } = row;
  return typeof pid === 'number' && typeof start === 'string' ? { pid, start } : undefined;
}

/** The cause in every language: the reader's language may differ from that of the server that wrote it. */
export function causeOf(row: Row): Reason | undefined {
  const kept = optional(row, 'cause');
  return kept === null ? undefined : (JSON.parse(kept) as Reason);
}

/** Lists upstreams that a running server has lost, each once. */
export async function openMatters(context: Context, most: number): Promise<readonly OpenMatter[]> {
  const away = (await readLinks(context)).filter((row) => row['state'] === 'disconnected');
  const newest = new Map(away.map((row) => [text(row, 'upstream'), row]));
  return [...newest]
    .slice(0, most)
    .map(([upstream, row]) => ({
      kind: 'upstream',
      subject: upstream,
      title: upstream,
      text: phrase.noticeAway({ cause: causeOf(row) ?? '' }),
      path: `/upstreams/${upstream}`,
      since: text(row, 'since'),
    }));
}
