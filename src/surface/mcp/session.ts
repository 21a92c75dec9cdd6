import { randomUUID } from 'node:crypto';
import type { Application, OperationCall } from '../../kernel/application.ts';
import type { ClientConnection, Context } from '../../kernel/context.ts';
import type { Client, Exchange, Voice } from '../../kernel/exchange.ts';
import type { Wire } from '../../kernel/relay.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { metaKey } from './era.ts';

/** One client's connection: its toolsets and its principal. */
export interface Connection {
  readonly toolsets: readonly Toolset[];
  readonly call: Pick<OperationCall, 'principal' | 'agentOnly' | 'runId'>;
  /** The id of a stdio connection, which has exactly one client. */
  readonly pipe?: string;
}

export interface Served {
  readonly app: Application;
  readonly connection: Connection;
}

export interface McpSession {
  readonly id: string;
  readonly load: () => Promise<Served>;
  /** Resolves when changes are watched, so that the client is notified of every later one. */
  readonly watched: () => Promise<void>;
  /** The client info that a 2025-era client sent at `initialize`. */
  client: Client;
  /** URIs that a 2025-era client subscribed to. The SDK handles 2026-era subscriptions. */
  readonly subscribed: Set<string>;
  /** The channel to a 2025-era client outside of any request; undefined while it does not listen. */
  standing: () => Voice | undefined;
  /** The level that a 2025-era client set. A 2026-era client sends one with every request. */
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
  // A 2026-era client gets logs only if it asks for them.
  const wire: Voice = filterLogs(exchange, era === 'modern' ? (wanted ?? 'none') : wanted);
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

export function connectionOf(session: McpSession, connection: Connection, exchange: Exchange): ClientConnection {
  const { era, client, meta } = exchange;
  // Codex sends its session id with every call; its hooks have the same id.
  const sessionId = meta?.['sessionId'];
  const shared = era === 'modern' ? statelessConnection(connection, client.name) : session.id;
  return {
    id: era === 'modern' ? (connection.pipe ?? shared) : session.id,
    shared,
    name: client.name,
    session: typeof sessionId === 'string' ? sessionId : undefined,
    era,
    capabilities: client.capabilities,
    voice: era === 'legacy' ? exchange : undefined,
    standing: () => {
      const voice = session.standing();
      return voice && filterLogs(voice, session.logLevel);
    },
  };
}

/** The connection id in a protocol without sessions: the same principal with the same client counts as one connection. */
export function statelessConnection(connection: Connection, client: string | undefined): string {
  return JSON.stringify([connection.call, client]);
}

function wantedLevel({ logLevel }: McpSession, { era, meta }: Exchange): LogLevel | undefined {
  return era === 'modern' ? (meta?.[metaKey.logLevel] as LogLevel | undefined) : logLevel;
}

/** Drops logs below the wanted level. A 2025-era client gets all until it sets one. */
function filterLogs(voice: Voice, wanted: LogLevel | 'none' | undefined): Voice {
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
