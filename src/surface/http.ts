import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import {
  NodeStreamableHTTPServerTransport,
  hostHeaderValidation,
  originValidation,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { InMemoryServerEventBus, createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Application } from '../kernel/application.ts';
import type { Log } from '../kernel/context.ts';
import { Problem } from '../kernel/problem.ts';
import type { Toolset } from '../kernel/toolset.ts';
import { isToolset, toolsets } from '../kernel/toolset.ts';
import type { Connection, Served, Session } from './mcp.ts';
import { changesOf, createSession, notifyOf } from './mcp.ts';

export interface Principal {
  readonly role: string;
  readonly identity: string;
}

export interface HttpOptions {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** The application of a project; without a name the daemon's own. Undefined where that folder is no project. */
  appFor(project: string | undefined): Promise<Application | undefined>;
  authenticate(token: string): Promise<Principal | undefined>;
  /** Only for the conformance suite on loopback: everybody is this principal. */
  readonly anonymous?: Principal;
}

export interface Daemon {
  readonly url: string;
  readonly server: HttpServer;
  close(): Promise<void>;
}

const maxBodyBytes = 4 * 1024 * 1024;
const idleSessionMs = 24 * 3600 * 1000;
const maxSessions = 1000;

/** Of a server's request both are always there; the types cannot know. */
type Request = IncomingMessage & { method: string; url: string };

interface LegacySession {
  readonly session: Session;
  readonly transport: NodeStreamableHTTPServerTransport;
  /** Who opened it, and where: nobody else may use it. */
  readonly owner: string;
  usedAt: number;
}

interface Route {
  readonly toolsets: readonly Toolset[];
  readonly project: string | undefined;
}

/** MCP in both eras on one endpoint. Everything but `/health` needs a token; Host and Origin must be this machine's. */
export async function serveHttp(options: HttpOptions): Promise<Daemon> {
  const { log } = options;
  const sessions = new Map<string, LegacySession>();
  const bus = new InMemoryServerEventBus();
  const main = await options.appFor(undefined);
  if (main === undefined) throw new Error('the daemon has no application of its own');
  const catalog = await main.catalog();
  const stopWatching = await main.watch((entry) => {
    const changes = changesOf(catalog, entry);
    for (const uri of changes.uris) bus.publish({ kind: 'resource_updated', uri });
    if (changes.list) bus.publish({ kind: 'resources_list_changed' });
    for (const { session } of sessions.values()) notifyOf(session, changes, false).catch(() => undefined);
  });

  const served = async (principal: Principal, route: Route): Promise<Served> => {
    const app = await options.appFor(route.project);
    if (app === undefined)
      throw new Problem('BAD_CONFIGURATION', {
        file: route.project ?? '',
        reason: 'it has no .sekisho folder; run sekisho init there',
      });
    const connection: Connection = {
      toolsets: route.toolsets,
      call: { role: principal.role, identity: principal.identity, authenticated: true },
    };
    return { app, connection };
  };

  const modern = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const principal = authInfo?.extra?.['principal'] as Principal;
      const route = routeOf(new URL(requestInfo?.url ?? 'http://localhost/mcp'));
      if (route === undefined) throw new Error('no route');
      return createSession(options.version, () => served(principal, route)).server;
    },
    { legacy: 'reject', bus, onerror: (error) => log.debug('mcp', { reason: error.message }) },
  );
  const modernHandler = toNodeHandler(modern, { onerror: (error) => log.warn('mcp', { reason: error.message }) });

  const legacy = async (
    request: Request,
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
      return known.transport.handleRequest(request, response, body);
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

  const hostnames = ['localhost', '127.0.0.1', '[::1]', options.host];
  const checkHost = hostHeaderValidation(hostnames);
  const checkOrigin = originValidation(hostnames);

  const handle = async (request: Request, response: ServerResponse): Promise<void> => {
    if (!checkHost(request, response) || !checkOrigin(request, response)) return;
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname === '/health')
      return sendJson(response, 200, { status: 'ok', version: options.version, timestamp: new Date().toISOString() });
    const principal = options.anonymous ?? (await principalOf(request, options));
    if (principal === undefined) {
      response.setHeader('WWW-Authenticate', 'Bearer realm="sekisho"');
      return sendJson(response, 401, { error: 'A bearer token is needed. sekisho up prints where it is.' });
    }
    if (principal === 'forbidden')
      return sendJson(response, 403, {
        error: 'FORBIDDEN: this token is an agent’s, and only a person’s may take that role.',
      });
    const route = routeOf(url);
    if (route === undefined) return sendJson(response, 404, { error: `There is nothing at ${url.pathname}` });
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (body === 'too large') return sendError(response, 413, -32600, 'The request is larger than 4 MiB');
    if (request.method === 'POST' && body === undefined)
      return sendError(response, 400, -32700, 'Parse error: the body is no JSON');
    const web = await toWebRequest(request, body);
    if (await isLegacyRequest(web, body)) return legacy(request, response, body, principal, route);
    const extra = { token: '', clientId: principal.identity, scopes: [], extra: { principal } };
    return modernHandler(Object.assign(request, { auth: extra }), response, body);
  };

  const server = createServer((request, response) => {
    handle(request as Request, response).catch((error: unknown) => {
      log.error('request failed', { url: request.url, stack: error instanceof Error ? error.stack : String(error) });
      if (!response.headersSent) sendError(response, 500, -32603, 'Internal error');
    });
  });
  await listen(server, options.host, options.port);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    server,
    async close() {
      stopWatching();
      await modern.close();
      for (const { transport } of sessions.values()) await transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `/mcp` has every toolset, `/mcp/gate` one, `/mcp/gate,work` two. */
function routeOf(url: URL): Route | undefined {
  const [, first, second, ...rest] = url.pathname.split('/');
  if (first !== 'mcp' || rest.length > 0) return undefined;
  const project = url.searchParams.get('project') ?? undefined;
  if (second === undefined || second === '') return { toolsets, project };
  const words = decodeURIComponent(second).split(',');
  return words.every(isToolset) ? { toolsets: words.filter(isToolset), project } : undefined;
}

const personalRoles = ['human', 'reviewer'];

async function principalOf(
  request: IncomingMessage,
  options: HttpOptions,
): Promise<Principal | 'forbidden' | undefined> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || token === '') return undefined;
  const principal = await options.authenticate(token);
  const wanted = request.headers['sekisho-role'];
  if (principal === undefined || typeof wanted !== 'string' || wanted === principal.role) return principal;
  // A person may take any role; an agent may take another agent's role, never a person's.
  return principal.role === 'human' || !personalRoles.includes(wanted) ? { ...principal, role: wanted } : 'forbidden';
}

/** The parsed body; undefined where it is no JSON. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return 'too large';
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function isInitialize(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return messages.some(
    (one) => typeof one === 'object' && one !== null && (one as { method?: unknown }).method === 'initialize',
  );
}

function dropIdle(sessions: Map<string, LegacySession>): void {
  const oldest = [...sessions].toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
  for (const [id, one] of oldest) {
    if (Date.now() - one.usedAt < idleSessionMs && sessions.size < maxSessions) return;
    sessions.delete(id);
    one.transport.close().catch(() => undefined); // Nobody is listening any more.
  }
}

function listen(server: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Problem('PORT_TAKEN', { host, port }) : error),
    );
    server.listen(port, host, resolve);
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, code: number, message: string): void {
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id: null });
}
