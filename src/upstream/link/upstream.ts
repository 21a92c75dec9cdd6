import type { Context } from '../../kernel/context.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { configurationNote } from '../../kernel/trust.ts';
import { problem } from '../problem.ts';
import type { UpstreamSettings } from '../settings.ts';
import type { KnownTools } from './catalogue.ts';
import { type Client, ClientConnection, type UpstreamOptions } from './client-connection.ts';

/** The maximum number of client connections per upstream; beyond it the least recently used idle one is closed. */
const maxConnections = 16;

/** One upstream as the relay sees it: its known tools, and a connection per client. */
export class Upstream {
  readonly name: string;
  readonly settings: UpstreamSettings;
  /** Undefined until any client's connection has read the tools. */
  known: KnownTools | undefined;
  readonly #options: UpstreamOptions;
  /** In order of use; the most recent is last. */
  readonly #connections = new Map<string, ClientConnection>();
  #last: ClientConnection | undefined;
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.settings = options.settings;
    this.name = options.settings.name;
  }

  get connections(): readonly ClientConnection[] {
    return [...this.#connections.values()];
  }

  /** Returns this client's connection. It connects on first use. */
  getConnection(client: Client): ClientConnection {
    const found = this.#connections.get(client.connection) ?? this.#open(client);
    found.updateClient(client);
    if (found === this.#last) return found;
    this.#last = found;
    this.#connections.delete(client.connection);
    this.#connections.set(client.connection, found);
    return found;
  }

  findConnection(connection: string): ClientConnection | undefined {
    return this.#connections.get(connection);
  }

  toolsOf(known: KnownTools | undefined): readonly JsonObject[] {
    return (known?.tools ?? []).filter((tool) => this.allows(String(tool['name'])));
  }

  allows(tool: string): boolean {
    return this.settings.tools?.includes(tool) ?? true;
  }

  leave(connection: string): void {
    const clientConnection = this.#connections.get(connection);
    if (clientConnection === undefined) return;
    this.#connections.delete(connection);
    const left = clientConnection.link.close().catch(() => undefined); // A later server start ends processes that could not be ended.
    this.#leaving.add(left);
    void left.finally(() => this.#leaving.delete(left));
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.keys()) this.leave(connection);
    await Promise.all(this.#leaving);
  }

  #open(client: Client): ClientConnection {
    if (this.#connections.size >= maxConnections) {
      const idle = [...this.#connections].filter(([, one]) => one.idle);
      const [oldest] = idle.find(([, one]) => one.link.connection === undefined) ?? idle[0] ?? [];
      if (oldest !== undefined) this.leave(oldest);
    }
    const known = { get: () => this.known, set: (now: KnownTools) => (this.known = now) };
    return new ClientConnection({ ...this.#options, client, known });
  }
}

/** Chooses the upstreams to activate. Without a name these are the gated ones, or all if none is gated. */
export function chooseUpstreams(
  { list }: { readonly list: readonly Upstream[] },
  name: string | undefined,
  { project }: Pick<Context, 'project'>,
): readonly Upstream[] {
  // Upstreams in a file that no person has trusted are off; the note explains why.
  const note = configurationNote(project.configuration);
  if (list.length === 0) throw problem.UPSTREAM_NONE({ note });
  if (name !== undefined) {
    const found = list.find((one) => one.name === name);
    if (found === undefined)
      throw problem.UPSTREAM_UNKNOWN({ upstream: name, known: list.map((one) => one.name), note });
    return [found];
  }
  const gated = list.filter((one) => one.settings.gated);
  return gated.length > 0 ? gated : list;
}
