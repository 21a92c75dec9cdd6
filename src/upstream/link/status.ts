import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import type { ClientConnection } from './client-connection.ts';
import { addressOf } from './link.ts';
import { type Reason, inLang } from '../../kernel/text/text.ts';
import { causeOf, readLinks } from './registry.ts';
import type { Upstream } from './upstream.ts';

export interface UpstreamStatus {
  readonly upstream: string;
  readonly address: string;
  readonly gated: boolean;
  readonly skill?: string;
  readonly reconnect: 'manual' | 'auto';
  /** The state of the caller's own connection, else of one that is disconnected, else of the one used last. */
  readonly state: string;
  readonly cause?: string;
  readonly protocol?: string;
  readonly transport?: string;
  readonly server?: string;
  readonly reconnects: number;
  readonly tools: number;
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
  readonly tools_read_at?: string;
  /** The state in every live server of this project. */
  readonly servers: readonly {
    readonly pid: number;
    readonly state: string;
    readonly cause?: string;
    readonly reconnects: number;
    readonly child_pid?: number;
    readonly since: string;
  }[];
}

/** Returns the status of upstreams, without secrets: no phrase, header or environment. */
export async function statusOf(context: Context, upstreams: readonly Upstream[]): Promise<readonly UpstreamStatus[]> {
  const links = await readLinks(context);
  const told = (cause: Reason | undefined) =>
    cause === undefined ? {} : { cause: context.say((lang) => inLang(cause, lang)) };
  return upstreams.map((upstream) => {
    const { name, settings } = upstream;
    const clientConnection = chooseConnection(upstream, context.connection?.shared);
    const link = clientConnection?.link;
    const known = clientConnection?.known ?? upstream.known;
    const greeting = link?.connection?.greeting;
    return {
      upstream: name,
      address: addressOf(settings),
      gated: settings.gated,
      ...(settings.skill !== undefined && { skill: settings.skill }),
      reconnect: settings.reconnect,
      state: link?.state ?? 'idle',
      ...told(link?.cause),
      ...(greeting !== undefined && { protocol: greeting.version }),
      ...(link?.connection !== undefined && { transport: link.connection.via }),
      ...(known !== undefined && { server: known.server, tools_read_at: known.at }),
      reconnects: link?.reconnects ?? 0,
      tools: upstream.toolsOf(known).length,
      left_out: (known?.leftOut ?? []).map((one) => ({ ...one, reason: context.say((lang) => one.reason[lang]) })),
      servers: links
        .filter((row) => row['upstream'] === name)
        .map((row) => ({
          pid: Number(row['owner_pid']),
          state: text(row, 'state'),
          ...told(causeOf(row)),
          reconnects: Number(row['reconnects']),
          ...(row['pid'] !== null && { child_pid: Number(row['pid']) }),
          since: text(row, 'since'),
        })),
    };
  });
}

function chooseConnection(upstream: Upstream, connection: string | undefined): ClientConnection | undefined {
  const own = connection === undefined ? undefined : upstream.findConnection(connection);
  return own ?? upstream.connections.find((one) => one.link.state === 'disconnected') ?? upstream.connections.at(-1);
}
