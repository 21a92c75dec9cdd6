import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { parsed, text, readRows } from '../../kernel/store/row.ts';
import type { Connection } from '../wire/connection.ts';
import { type LeftOutTool, siftTools } from './tool.ts';

/** An upstream's tools, as read on its last connection. */
export interface KnownTools {
  readonly tools: readonly JsonObject[];
  readonly leftOut: readonly LeftOutTool[];
  readonly server: string;
  readonly at: string;
}

export const listMs = 10_000;
const maxPages = 100;

export async function readCatalog(context: Context): Promise<Map<string, KnownTools>> {
  const rows = await readRows(
    context.store,
    'select upstream, tools, left_out, server, at from upstream_catalog where project = :project',
    { project: context.project.key },
  );
  return new Map(
    rows.map((row) => [
      text(row, 'upstream'),
      {
        tools: parsed(row, 'tools') as readonly JsonObject[],
        leftOut: parsed(row, 'left_out') as readonly LeftOutTool[],
        server: text(row, 'server'),
        at: text(row, 'at'),
      },
    ]),
  );
}

/** Reads an upstream's tools. Tools that would break a client's list are left out and reported. */
export async function askTools(connection: Connection, now: Date): Promise<KnownTools> {
  const { greeting } = connection;
  const raw = greeting.capabilities['tools'] === undefined ? [] : await askList(connection, 'tools/list', 'tools');
  const { tools, leftOut } = siftTools(raw);
  return { tools, leftOut, server: `${greeting.server.name} ${greeting.server.version}`.trim(), at: now.toISOString() };
}

export async function keepCatalog(context: Context, upstream: string, known: KnownTools): Promise<void> {
  await context.store.commit(
    [
      {
        sql: `insert into upstream_catalog (project, upstream, tools, left_out, server, at)
          values (:project, :upstream, :tools, :leftOut, :server, :at)
          on conflict (project, upstream) do update set tools = excluded.tools, left_out = excluded.left_out,
            server = excluded.server, at = excluded.at`,
        args: {
          project: context.project.key,
          upstream,
          tools: JSON.stringify(known.tools),
          leftOut: JSON.stringify(known.leftOut),
          server: known.server,
          at: known.at,
        },
      },
    ],
    [entry(context, upstream, 'upstream.tools', { tools: known.tools.length, left_out: known.leftOut.length })],
  );
}

export function sameTools(a: KnownTools | undefined, b: KnownTools): boolean {
  return a !== undefined && JSON.stringify([a.tools, a.leftOut]) === JSON.stringify([b.tools, b.leftOut]);
}

export async function askList(
  { peer }: Pick<Connection, 'peer'>,
  method: string,
  field: string,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < maxPages; page++) {
    const { result } = await peer.request(method, typeof cursor === 'string' ? { cursor } : {}, { timeoutMs: listMs });
    if (Array.isArray(result[field])) all.push(...(result[field] as unknown[]));
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string') break;
  }
  return all;
}
