import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import type { EventStore } from '@modelcontextprotocol/server';
import { InMemoryServerEventBus, createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Application } from '../../kernel/application.ts';
import type { Log } from '../../kernel/context.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Plain } from '../../kernel/plain.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { isToolset, toolsets } from '../../kernel/toolset.ts';
import { readJson, sendError } from './body.ts';
import { answerPlainly, hasPlainHeaders } from './lean.ts';
import { changesOf, changesOfRelay, gather, notifyOf } from '../mcp/changes.ts';
import { callHeaderFault } from '../mcp/param-headers.ts';
import { isPlainRequest } from '../mcp/plain.ts';
import type { Connection, Served, Session } from '../mcp/session.ts';
import { cancelRunning } from '../mcp/session.ts';
import { createSession, isServed } from '../mcp/mcp.ts';
import { problem } from '../../kernel/problem.ts';

export interface McpOptions {
  readonly version: string;
  readonly log: Log;
  /** The application of a project; without a name the daemon's own. Undefined where that folder is no project. */
  appFor(project: string | undefined): Promise<Application | undefined>;
  /**
   * Lets a 2025-era client come back for the rest of a stream. Only for the conformance suite: the event that tells the
   * client an id is a packet more for every answer, and a short call takes two to three times as long.
   */
  readonly replay?: (session: string) => EventStore;
}

export interface McpEndpoint {
  /** Answers the request if its address is one of MCP's. */
  handle(request: Incoming, response: ServerResponse, url: URL, principal: Principal): Promise<boolean>;
  close(): Promise<void>;
}

const idleSessionMs = 24 * 3600 * 1000;
const maxSessions = 1000;
const retryMs = 1000;
const headerMismatch = -32020;

/** Of a server's request both are always there; the types cannot know. */
export type Incoming = IncomingMessage & { method: string; url: string };

interface LegacySession {
  readonly session: Session;
  readonly transport: NodeStreamableHTTPServerTransport;
  /** Who opened it, and where: nobody else may use it. */
  readonly owner: string;
  usedAt: number;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Plain;
}

/** What a 2026-era request carries to the server that is made for it. */
type Admitted = {
  readonly principal: Principal;
  readonly method: string;
};

interface Route {
  readonly toolsets: readonly Toolset[];
  readonly project: string | undefined;
}

/** Both protocol eras on one address. */
export async function createMcpEndpoint(options: McpOptions): Promise<McpEndpoint> {
  const { log } = options;
  const sessions = new Map<string, LegacySession>();
  const bus = new InMemoryServerEventBus();
  const main = await options.appFor(undefined);
  if (main === undefined) throw new Error('the daemon has no application of its own');
  const catalog = await main.catalog();
  const tell = gather((changes) => {
    for (const uri of changes.uris) bus.publish({ kind: 'resource_updated', uri });
    for (const list of changes.lists) bus.publish({ kind: `${list}_list_changed` });
    for (const { session } of sessions.values()) notifyOf(session, changes, false).catch(() => undefined); // It has gone.
  });
  const stopWatching = [await main.watch((entry) => tell(changesOf(catalog, entry)))];
  const relays = new Set<Application['relay']>();
  const watchRelay = ({ relay }: Application) => {
    if (relay === undefined || relays.has(relay)) return;
    relays.add(relay);
    stopWatching.push(relay.watch((change) => tell(changesOfRelay(change))));
  };

  const served = async (principal: Principal, route: Route): Promise<Served> => {
    const app = await options.appFor(route.project);
    if (app === undefined)
      throw problem.BAD_CONFIGURATION({
        file: route.project ?? '',
        reason: 'it has no .sekisho folder; run sekisho init there',
      });
    watchRelay(app);
    const connection: Connection = {
      toolsets: route.toolsets.filter((one) => principal.toolsets?.includes(one) ?? true),
      call: { role: principal.role, identity: principal.identity, authenticated: true },
    };
    return { app, connection };
  };

  const modern = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      if (authInfo?.extra === undefined) throw new Error('nobody was admitted');
      const { principal, method } = authInfo.extra as Admitted;
      const route = routeOf(new URL(requestInfo?.url ?? 'http://localhost/mcp'));
      if (route === undefined) throw new Error('no route');
      const { server } = createSession(options.version, () => served(principal, route));
      // Only where nobody would answer does the SDK say 404, as the protocol wants for an unknown method.
      if (!isServed(method)) delete server.fallbackRequestHandler;
      return server;
    },
    { legacy: 'reject', bus, onerror: (error) => log.debug('mcp', { reason: error.message }) },
  );
  const modernHandler = toNodeHandler(modern, { onerror: (error) => log.warn('mcp', { reason: error.message }) });

  const legacy = async (
    request: Incoming,
    response: ServerResponse,
    body: unknown,
    principal: Principal,
    route: Route,
  ): Promise<void> => {
    const owner = JSON.stringify([principal, route]);
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const known = sessions.get(id);
      if (known === undefined || known.owner !== owner) return sendError(response, 404, -32001, 'Session not found');
      known.usedAt = Date.now();
      const whole = () => known.transport.handleRequest(request, response, body);
      if (!isPlainRequest(body) || !hasPlainHeaders(request) || known.session.running.has(body.id)) {
        cancelRunning(known.session, body);
        return whole();
      }
      return answerPlainly(known.session, body, response, whole, options.replay !== undefined);
    }
    if (!isInitialize(body))
      return sendError(
        response,
        400,
        -32000,
        'Bad Request: send initialize first, then the Mcp-Session-Id that it returned',
      );
    dropIdle(sessions);
    const session = createSession(options.version, () => served(principal, route));
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      ...(options.replay !== undefined && { eventStore: options.replay(session.id), retryInterval: retryMs }),
      onsessioninitialized: (sessionId) => {
        sessions.set(sessionId, { session, transport, owner, usedAt: Date.now() });
      },
      onsessionclosed: (sessionId) => {
        sessions.delete(sessionId);
      },
    });
    await session.server.connect(transport);
    await transport.handleRequest(request, response, body);
  };

  const stateless = async (
    request: Incoming,
    response: ServerResponse,
    body: Message | null,
    principal: Principal,
    route: Route,
  ): Promise<void> => {
    const { id, method, params } = body ?? {};
    if (method === 'tools/call' && typeof params === 'object') {
      const headerOf = (name: string) => request.headers[name.toLowerCase()]?.toString();
      const fault = await callHeaderFault(() => served(principal, route), params, headerOf);
      if (fault !== undefined) return sendError(response, 400, headerMismatch, fault, id);
    }
    const extra: Admitted = { principal, method: String(method) };
    const auth = { token: '', clientId: principal.identity, scopes: [], extra };
    await modernHandler(Object.assign(request, { auth }), response, body);
  };

  return {
    async handle(request, response, url, principal) {
      const route = routeOf(url);
      if (route === undefined) return false;
      const body = request.method === 'POST' ? await readJson(request) : undefined;
      if (body === 'too large') sendError(response, 413, -32600, 'The request is larger than 4 MiB');
      else if (request.method === 'POST' && body === undefined)
        sendError(response, 400, -32700, 'Parse error: the body is no JSON');
      else if (isOfSession(request, body) || (await isLegacyRequest(await toWebRequest(request, body), body)))
        await legacy(request, response, body, principal, route);
      else await stateless(request, response, body as Message | null, principal, route);
      return true;
    },
    async close() {
      for (const stop of stopWatching) stop();
      await modern.close();
      for (const { transport } of sessions.values()) await transport.close();
    },
  };
}

/** `/mcp` has every toolset, `/mcp/gate` one, `/mcp/gate,work` two. */
function routeOf(url: URL): Route | undefined {
  const [, first, second, ...rest] = url.pathname.split('/');
  if (first !== 'mcp' || rest.length > 0) return undefined;
  const project = url.searchParams.get('project') ?? undefined;
  if (second === undefined || second === '') return { toolsets, project };
  const words = second.replaceAll('%2C', ',').split(',');
  return words.every(isToolset) ? { toolsets: toolsets.filter((one) => words.includes(one)), project } : undefined;
}

function isInitialize(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return messages.some(
    (one) => typeof one === 'object' && one !== null && (one as { method?: unknown }).method === 'initialize',
  );
}

/** Only the 2025 era has sessions; the SDK's own look at a request is dear. */
function isOfSession({ headers }: IncomingMessage, body: unknown): boolean {
  return headers['mcp-session-id'] !== undefined && isPlainRequest(body);
}

function dropIdle(sessions: Map<string, LegacySession>): void {
  const oldest = [...sessions].toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
  for (const [id, one] of oldest) {
    if (Date.now() - one.usedAt < idleSessionMs && sessions.size < maxSessions) return;
    sessions.delete(id);
    one.transport.close().catch(() => undefined); // Nobody is listening any more.
  }
}
