import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import type { ClientConnection } from './client-connection.ts';
import { addressOf } from './link.ts';
import { type Reason, inLang } from '../../kernel/text/text.ts';
import { causeOf, readLinks } from './registry.ts';
import type { Upstream } from './upstream.ts';

/** Returns the status of upstreams, without secrets: no phrase, header or environment. `servers`: every live server of this project. */
export async function readStatus(context: Context, upstreams: readonly Upstream[]) {
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

/** Chooses the caller's own connection, else one that is disconnected, else the one used last. */
function chooseConnection(upstream: Upstream, connection: string | undefined): ClientConnection | undefined {
  const own = connection === undefined ? undefined : upstream.findConnection(connection);
  return own ?? upstream.connections.find((one) => one.link.state === 'disconnected') ?? upstream.connections.at(-1);
}
