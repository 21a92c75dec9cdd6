import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/row.ts';
import { readLinks } from './registry.ts';
import type { Upstream } from './upstream.ts';

export interface UpstreamStatus {
  readonly upstream: string;
  readonly address: string;
  readonly gated: boolean;
  readonly skill?: string;
  readonly reconnect: 'manual' | 'auto';
  /** Of this server's own connection. */
  readonly state: string;
  readonly cause?: string;
  readonly protocol?: string;
  readonly transport?: string;
  readonly server?: string;
  readonly reconnects: number;
  readonly tools: number;
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
  readonly tools_read_at?: string;
  /** What every living server of this project says. */
  readonly servers: readonly {
    readonly pid: number;
    readonly state: string;
    readonly cause?: string;
    readonly reconnects: number;
    readonly child_pid?: number;
    readonly since: string;
  }[];
}

/** Nothing secret: no phrase, no header, no environment. */
export async function statusOf(context: Context, upstreams: readonly Upstream[]): Promise<readonly UpstreamStatus[]> {
  const links = await readLinks(context);
  return upstreams.map(({ name, settings, link, known, tools }) => {
    const greeting = link.connection?.greeting;
    return {
      upstream: name,
      address: link.address,
      gated: settings.gated,
      ...(settings.skill !== undefined && { skill: settings.skill }),
      reconnect: settings.reconnect,
      state: link.state,
      ...(link.cause !== undefined && { cause: link.cause }),
      ...(greeting !== undefined && { protocol: greeting.version }),
      ...(link.connection !== undefined && { transport: link.connection.via }),
      ...(known !== undefined && { server: known.server, tools_read_at: known.at }),
      reconnects: link.reconnects,
      tools: tools.length,
      left_out: known?.leftOut ?? [],
      servers: links
        .filter((row) => row['upstream'] === name)
        .map((row) => ({
          pid: Number(row['owner_pid']),
          state: text(row, 'state'),
          ...(row['cause'] !== null && { cause: text(row, 'cause') }),
          reconnects: Number(row['reconnects']),
          ...(row['pid'] !== null && { child_pid: Number(row['pid']) }),
          since: text(row, 'since'),
        })),
    };
  });
}
