import { randomUUID } from 'node:crypto';
import type { Application, OperationCall } from '../../kernel/application.ts';
import type { ClientConnection, Context } from '../../kernel/context.ts';
import type { Client, Exchange, Voice } from '../../kernel/exchange.ts';
import type { Wire } from '../../kernel/relay.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { metaKey } from './era.ts';

/** One client's connection: which tools it sees and who it is. */
export interface Connection {
  readonly toolsets: readonly Toolset[];
  readonly call: Pick<OperationCall, 'principal' | 'agentOnly' | 'runId'>;
  /** Only one client can be at the other end of this one. */
  readonly pipe?: string;
}

/** The application and what this client may see of it. */
export interface Served {
  readonly app: Application;
  readonly connection: Connection;
}

export interface McpSession {
  readonly id: string;
  readonly load: () => Promise<Served>;
  /** Resolves when whatever changes from now on will be told. */
  readonly watched: () => Promise<void>;
  /** What a 2025-era client said of itself at `initialize`. */
  client: Client;
  /** Addresses that a 2025-era client subscribed to; 2026-era subscriptions are the SDK's. */
  readonly subscribed: Set<string>;
  /** To a 2025-era client outside of any request; undefined while it does not listen. */
  standing: () => Voice | undefined;
  /** What a 2025-era client set; a 2026-era one says it with every request. */
  logLevel: LogLevel | undefined;
}

export function createSession(load: () => Promise<Served>, watched: () => Promise<void>): McpSession {
  const client = { name: undefined, capabilities: {} };
  return {
    id: randomUUID(),
    load,
    watched,
    client,
    subscribed: new Set(),
    standing: () => undefined,
    logLevel: undefined,
  };
}

export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof logLevels)[number];

export function wireOf(session: McpSession, connection: ClientConnection, context: Context, exchange: Exchange): Wire {
  const { shared, era, capabilities, standing } = connection;
  const { meta, detach } = exchange;
  const wanted = wantedLevel(session, exchange);
  // A 2026-era client gets no log that it did not ask for.
  const wire: Voice = filtered(exchange, era === 'modern' ? (wanted ?? 'none') : wanted);
  return {
    signal: exchange.signal,
    notify: wire.notify,
    request: wire.request,
    context,
    connection: shared,
    era,
    capabilities,
    voice: era === 'legacy' ? wire : undefined,
    standing,
    meta,
    logLevel: wanted,
    detach,
  };
}

/** Which client this request is of. */
export function connectionOf(session: McpSession, connection: Connection, exchange: Exchange): ClientConnection {
  const { era, client, meta } = exchange;
  // Codex names its session with every call, by the id that its hooks have too.
  const said = meta?.['sessionId'];
  const shared = era === 'modern' ? statelessConnection(connection, client.name) : session.id;
  return {
    id: era === 'modern' ? (connection.pipe ?? shared) : session.id,
    shared,
    name: client.name,
    session: typeof said === 'string' ? said : undefined,
    era,
    capabilities: client.capabilities,
    voice: era === 'legacy' ? exchange : undefined,
    standing: () => {
      const voice = session.standing();
      return voice && filtered(voice, session.logLevel);
    },
  };
}

/** Where the protocol has no sessions, the same principal with the same client is taken for the same connection. */
export function statelessConnection(connection: Connection, client: string | undefined): string {
  return JSON.stringify([connection.call, client]);
}

/** A 2026-era client says it with each request. */
function wantedLevel({ logLevel }: McpSession, { era, meta }: Exchange): LogLevel | undefined {
  return era === 'modern' ? (meta?.[metaKey.logLevel] as LogLevel | undefined) : logLevel;
}

/** Drops logs that the client does not want: a 2025-era one gets all until it sets a level. */
function filtered(voice: Voice, wanted: LogLevel | 'none' | undefined): Voice {
  if (wanted === undefined) return voice;
  const isWanted = (level: unknown) =>
    wanted !== 'none' && logLevels.indexOf(level as LogLevel) >= logLevels.indexOf(wanted);
  return {
    notify: async (method, params) => {
      if (method !== 'notifications/message' || isWanted(params['level'])) await voice.notify(method, params);
    },
    request: (method, params, signal) => voice.request(method, params, signal),
  };
}
