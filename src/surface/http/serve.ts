import { bearerChallenge, type ApiOptions, createApi } from './api.ts';
import { type IncomingMessage, type Server as HttpServer, type ServerResponse, createServer } from 'node:http';
import type { Endpoint, SocketEndpoint } from '../../kernel/endpoint.ts';
import { tooLargeMessage } from '../../kernel/message-size.ts';
import { type Principal, isSamePrincipal } from '../../kernel/principal.ts';
import { problem } from '../../kernel/problem.ts';
import { type Variables, uriTemplate } from '../../base/template.ts';
import { findListener } from '../../machine/listener.ts';
import { readBody, sendError, sendJson, sendText } from './body.ts';
import { createCookies } from './cookie.ts';
import { answerFailure, refuseMethod } from './failure.ts';
import { createNames, originProblem, isLoopback, isPublic, urlOf } from './origin-check.ts';
import type { Incoming } from './incoming.ts';
import { type McpOptions, createMcpEndpoint } from './mcp.ts';
import {
  type Handler,
  type SandboxSocketSession,
  type SessionOptions,
  createSessionSockets,
} from './session-socket.ts';
import { attachSockets } from './socket.ts';
import { createWeb } from './web.ts';

export interface HttpOptions extends McpOptions {
  readonly host: string;
  readonly port: number;
  /** Uses any free port if `port` is taken. */
  readonly orFreePort?: boolean;
  readonly publicUrl?: string | undefined;
  /** The principal of a token, in the wanted role. An agent's own token is known only to the project that the URL names. */
  authenticate(
    token: string,
    project: string | undefined,
    wanted: string | undefined,
  ): Promise<Principal | 'forbidden' | undefined>;
  readonly endpoints: readonly Endpoint[];
  readonly sockets: readonly SocketEndpoint[];
  /** Absent if the server is for agents only. */
  readonly dashboard?: DashboardOptions;
}

/** The dashboard: the folder of its files, its login, and its projects. */
interface DashboardOptions extends Pick<ApiOptions, 'door' | 'rootFor' | 'newId' | 'operations'> {
  readonly web: string;
}

export interface Daemon {
  readonly url: string;
  readonly page: string;
  openSession(options: SessionOptions): Promise<SandboxSocketSession>;
  close(): Promise<void>;
}

/** Starts the HTTP server. All but `/health`, the page and public endpoints needs a token; Host and Origin must be ours. */
export async function serveHttp(options: HttpOptions): Promise<Daemon> {
  const { maxMessageBytes, publicUrl } = options;
  const mcp = await createMcpEndpoint(options);
  const names = createNames(['localhost', '127.0.0.1', '[::1]', options.host], publicUrl);
  const principalOf = (request: IncomingMessage, url: URL) => readPrincipal(request, url, options);
  const foundAt = createFinder(options.endpoints);
  /** The methods that a path allows; undefined if it belongs to no endpoint. MCP checks its own. */
  const methodsOf = (path: string, there: readonly Found[]): readonly string[] | undefined => {
    if (path === '/health') return ['GET', 'HEAD'];
    return there.length === 0 ? undefined : there.map((one) => one.endpoint.method);
  };

  const serve: Handler = async (request, response, url, sender) => {
    const { principal } = sender;
    const found = foundAt(url.pathname).find((one) => one.endpoint.method === request.method);
    if (found?.endpoint.access === 'human' && !principal.person) return sendForbidden(response);
    if (found !== undefined) return answer(found, request, response, url, principal, maxMessageBytes);
    if (await mcp.handle(request, response, url, sender)) return undefined;
    return sendJson(response, 404, { error: `There is nothing at ${url.pathname}` });
  };
  const sessions = createSessionSockets(serve, options);
  const { dashboard } = options;
  const api = dashboard && createApi({ ...options, ...dashboard, principalOf, cookies: createCookies(publicUrl) });
  const web = dashboard && createWeb(dashboard.web, options.version);

  const handle = async (request: Incoming, response: ServerResponse): Promise<void> => {
    const foreign = originProblem(request, names);
    if (foreign !== undefined) return sendError(response, 403, -32000, foreign);
    const url = urlOf(request);
    if (url === undefined) return sendJson(response, 400, { error: 'Bad Request' });
    const there = foundAt(url.pathname);
    const methods = methodsOf(url.pathname, there);
    if (methods?.includes(request.method) === false) return refuseMethod(response, methods);
    if (url.pathname === '/health')
      return sendJson(response, 200, { status: 'ok', version: options.version, timestamp: new Date().toISOString() });
    if (sessions.any() && (await sessions.answer(request, response, url))) return undefined;
    if (isLoopback(request) || isPublic(request, publicUrl)) {
      if (api !== undefined && url.pathname.startsWith('/api/')) return api(request, response, url);
      if (methods === undefined && web?.(request, response, url) === true) return undefined;
    }
    const found = there.find((one) => one.endpoint.method === request.method);
    const principal = await principalOf(request, url);
    if (found?.endpoint.access === 'public')
      return answer(found, request, response, url, principal === 'forbidden' ? undefined : principal, maxMessageBytes);
    if (principal === undefined) {
      response.setHeader('WWW-Authenticate', bearerChallenge);
      return sendJson(response, 401, {
        error: 'A bearer token is needed. sekisho up --background --print-config says where it is.',
      });
    }
    if (principal === 'forbidden') return sendForbidden(response);
    const stillIn = async () => isSamePrincipal(await principalOf(request, url).catch(() => undefined), principal);
    return serve(request, response, url, { principal, stillIn });
  };

  const server = createServer((request, response) => {
    handle(request as Incoming, response).catch((error: unknown) => {
      answerFailure(response, options, request.url, error);
    });
  });
  const closeSockets = attachSockets(server, { endpoints: options.sockets, names, principalOf });
  const isMoved = await listenOrMove(server, options);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  const url = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
  return {
    url,
    // On a free port the public URL does not work: the proxy forwards to the configured port, which another program has.
    page: isMoved ? url : (publicUrl ?? url),
    async openSession(session) {
      const opened = await sessions.open(session);
      const close = async () => {
        await opened.close();
        mcp.left(session.principal);
      };
      return { ...opened, close };
    },
    async close() {
      closeSockets();
      await sessions.close();
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendForbidden(response: ServerResponse): void {
  sendJson(response, 403, { error: 'FORBIDDEN: only a person can do this, and this token is an agent’s.' });
}

interface Found {
  readonly endpoint: Endpoint;
  readonly variables: Variables;
}

/** Returns a function that finds the endpoints of a path, whatever their method. */
function createFinder(endpoints: readonly Endpoint[]): (path: string) => readonly Found[] {
  const templates = endpoints.map((endpoint) => ({ endpoint, match: uriTemplate(endpoint.path) }));
  return (path) =>
    templates.flatMap(({ endpoint, match }) => {
      const variables = match(path);
      return variables === undefined ? [] : [{ endpoint, variables }];
    });
}

async function answer(
  { endpoint, variables }: Found,
  request: Incoming,
  response: ServerResponse,
  url: URL,
  principal: Principal | undefined,
  limit: number,
): Promise<void> {
  const read = request.method === 'GET' ? undefined : await readBody(request, limit);
  if (read?.excerpt !== undefined) return sendJson(response, 413, { error: tooLargeMessage(limit) });
  const body = read?.text() ?? '';
  const { method, headers } = request;
  const given = await endpoint.handle({ method, variables, query: url.searchParams, headers, body, principal });
  if (given.status === 204) return void response.writeHead(204, given.headers).end();
  const text = typeof given.body === 'string' ? given.body : given.body === undefined ? '' : JSON.stringify(given.body);
  const type = typeof given.body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  return sendText(response, given.status, { 'Content-Type': type, ...given.headers }, text);
}

/** Reads the token from `Authorization: Bearer`, `X-API-Key` or, for WebSockets of browsers (which set no headers), `?token=`. */
async function readPrincipal(
  request: IncomingMessage,
  url: URL,
  options: HttpOptions,
): Promise<Principal | 'forbidden' | undefined> {
  const [scheme, bearer] = (request.headers.authorization ?? '').split(' ');
  const key = request.headers['x-api-key'];
  const query = request.headers.upgrade === undefined ? undefined : (url.searchParams.get('token') ?? undefined);
  const token = scheme?.toLowerCase() === 'bearer' ? bearer : typeof key === 'string' ? key : query;
  if (token === undefined || token === '') return undefined;
  // The header only requests a role: a person may have any, an agent only an agent's role.
  const project = url.searchParams.get('project') ?? undefined;
  return options.authenticate(token, project, request.headers['sekisho-role']?.toString());
}

/** Listens on the configured port, or on a free one if that is allowed. Returns true for a free one. */
async function listenOrMove(server: HttpServer, { host, port, orFreePort }: HttpOptions): Promise<boolean> {
  try {
    await listen(server, host, port);
    return false;
  } catch (error) {
    if (!orFreePort || !problem.PORT_TAKEN.is(error)) throw error;
    await listen(server, host, 0);
    return true;
  }
}

function listen(server: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? problem.PORT_TAKEN({ host, port, by: findListener(port) }) : error),
    );
    server.listen(port, host, resolve);
  });
}
