import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Application, Call } from '../../kernel/application.ts';
import type { ClientConnection, Context } from '../../kernel/context.ts';
import type { Plain } from '../../kernel/plain.ts';
import type { Wire } from '../../kernel/relay.ts';
import type { Toolset } from '../../kernel/toolset.ts';

/** One client's connection: which tools it sees and who it is. */
export interface Connection {
  readonly toolsets: readonly Toolset[];
  readonly call: Pick<Call, 'role' | 'identity' | 'authenticated' | 'runId'>;
}

/** The application and what this client may see of it. */
export interface Served {
  readonly app: Application;
  readonly connection: Connection;
}

export interface Running {
  /** The SDK's transport takes it from here. */
  join(ctx: ServerContext): Promise<Plain>;
  cancel(reason: unknown): void;
}

export interface Session {
  readonly id: string;
  readonly server: Server;
  readonly load: () => Promise<Served>;
  /** Addresses that a 2025-era client subscribed to; 2026-era subscriptions are the SDK's. */
  readonly subscribed: Set<string>;
  /** Requests that were begun without the SDK's transport, by their id. */
  readonly running: Map<string | number, Running>;
  /** What a 2025-era client set; a 2026-era one says it with every request. */
  logLevel: LogLevel | undefined;
}

export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A person answers an elicitation: much longer than the SDK's minute. */
const askTimeoutMs = 600_000;
const anything = z.looseObject({});

export function wireOf(session: Session, connection: Connection, context: Context, ctx: ServerContext): Wire {
  const { id, era, capabilities } = context.connection ?? connectionOf(session, connection, ctx);
  const detach = ctx.http?.closeSSE;
  return {
    context,
    connection: id,
    era,
    capabilities,
    meta: ctx.mcpReq._meta,
    notify: async (method, params) => {
      if (method === 'notifications/message' && !wantsLog(session, ctx, params['level'])) return;
      await ctx.mcpReq.notify({ method, params });
    },
    request: (method, params) =>
      ctx.mcpReq.send({ method, params }, anything, { timeout: askTimeoutMs, signal: ctx.mcpReq.signal }),
    ...(detach !== undefined && { detach }),
  };
}

/** Which client this request is of. */
export function connectionOf(session: Session, connection: Connection, ctx: ServerContext): ClientConnection {
  const modern = ctx.mcpReq.envelope !== undefined;
  return {
    id: modern ? statelessConnection(connection, clientName(session, ctx)) : session.id,
    era: modern ? 'modern' : 'legacy',
    capabilities: ((modern
      ? envelopeOf(ctx)?.[CLIENT_CAPABILITIES_META_KEY]
      : session.server.getClientCapabilities()) ?? {}) as Plain,
  };
}

/** Where the protocol has no sessions, the same principal with the same client is taken for the same connection. */
export function statelessConnection(connection: Connection, client: string | undefined): string {
  return JSON.stringify([connection.call, client]);
}

export function clientName(session: Session, ctx: ServerContext): string | undefined {
  return (envelopeOf(ctx)?.[CLIENT_INFO_META_KEY] as { name?: string } | undefined)?.name ?? legacyClient(session, ctx);
}

/** The name given at `initialize`; a 2026-era client gave none, and its list must not vary. */
export function legacyClient(session: Session, ctx: ServerContext): string | undefined {
  return ctx.mcpReq.envelope === undefined ? session.server.getClientVersion()?.name : undefined;
}

/** A 2026-era client gets no log that it did not ask for; a 2025-era one gets all until it sets a level. */
function wantsLog(session: Session, ctx: ServerContext, level: unknown): boolean {
  const modern = ctx.mcpReq.envelope !== undefined;
  const wanted = modern ? envelopeOf(ctx)?.[LOG_LEVEL_META_KEY] : (session.logLevel ?? 'debug');
  return wanted !== undefined && logLevels.indexOf(level as LogLevel) >= logLevels.indexOf(wanted as LogLevel);
}

function envelopeOf(ctx: ServerContext): Plain | undefined {
  return ctx.mcpReq.envelope;
}

/** A request that has not reached the SDK cannot be cancelled there. */
export function cancelRunning({ running }: Session, message: unknown): void {
  const { method, params } = (message ?? {}) as { readonly method?: unknown; readonly params?: Plain };
  const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  if (typeof id === 'string' || typeof id === 'number') running.get(id)?.cancel(params?.['reason']);
}
