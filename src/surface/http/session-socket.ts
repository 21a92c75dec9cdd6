import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { chmodSync } from 'node:fs';
import type { Principal } from '../../kernel/principal.ts';
import { makeToken } from '../../kernel/token.ts';
import { sendJson } from './body.ts';
import { type FailureOptions, answerFailure } from './failure.ts';
import type { Incoming, Sender } from './incoming.ts';
import { urlOf } from './origin-check.ts';

/** The session of one sandboxed agent. Every request through its socket counts as this agent, in this project. */
export interface SessionOptions {
  /** The path of the socket, in a folder that only its owner can enter. */
  readonly path: string;
  readonly project: string;
  readonly principal: Principal;
  /** The client whose hooks ask over TCP; undefined if there are none. */
  readonly client: string | undefined;
}

export interface SandboxSocketSession {
  /** A token for `/hook/<client>` of this session only. An agent that reads it can only ask what it may do. */
  readonly hookToken: string;
  close(): Promise<void>;
}

/** Answers a request whose sender is known. */
export type Handler = (request: Incoming, response: ServerResponse, url: URL, sender: Sender) => Promise<void>;

export interface SessionSockets {
  open(options: SessionOptions): Promise<SandboxSocketSession>;
  any(): boolean;
  /** Answers a request over TCP that carries a session's token. */
  answer(request: Incoming, response: ServerResponse, url: URL): Promise<boolean>;
  close(): Promise<void>;
}

/** Serves sandboxed agents over sockets. The socket determines principal, project and client; headers and query do not. */
export function createSessionSockets(handle: Handler, failures: FailureOptions): SessionSockets {
  const byToken = new Map<string, SessionOptions>();
  const open = new Set<SandboxSocketSession>();

  const pass = async (session: SessionOptions, request: Incoming, response: ServerResponse, url: URL) => {
    const target = sessionUrl(session, request.method, url);
    if (target === undefined)
      return sendJson(response, 403, { error: 'FORBIDDEN: a sandboxed session can only use /mcp and /hook.' });
    for (const name of ['authorization', 'x-api-key', 'sekisho-role', 'cookie']) delete request.headers[name];
    // Only the opener of a socket can revoke it, by closing it, and that ends its connections.
    return handle(request, response, target, { principal: session.principal, stillIn: async () => true });
  };

  return {
    async open(options) {
      const server = createServer((request, response) => {
        // A path that cannot be parsed is treated as `/`, which is refused.
        const url = urlOf(request) ?? new URL('http://localhost/');
        pass(options, request as Incoming, response, url).catch((error: unknown) => {
          answerFailure(response, failures, request.url, error);
        });
      });
      // Upgrades are refused: a WebSocket would bypass the checks above.
      server.on('upgrade', (_request, stream) => stream.destroy());
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(options.path, resolve);
      });
      chmodSync(options.path, 0o600);
      const hookToken = makeToken();
      byToken.set(hookToken, options);
      const session: SandboxSocketSession = {
        hookToken,
        async close() {
          byToken.delete(hookToken);
          open.delete(session);
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
        },
      };
      open.add(session);
      return session;
    },
    any: () => byToken.size > 0,
    async answer(request, response, url) {
      const session = byToken.get(bearerOf(request));
      if (session === undefined) return false;
      if (session.client === undefined || url.pathname !== `/hook/${session.client}`)
        sendJson(response, 403, { error: 'FORBIDDEN: this token is only for the hooks of one session.' });
      else await pass(session, request, response, url);
      return true;
    },
    async close() {
      await Promise.all([...open].map((one) => one.close()));
    },
  };
}

/** The URL with the session's project instead of the request's; undefined if the path is not open to sessions. */
function sessionUrl({ project }: SessionOptions, method: string, url: URL): URL | undefined {
  const isHook = method === 'POST' && /^\/hook\/[a-z-]+$/.test(url.pathname);
  if (!isHook && !/^\/mcp(\/[a-z,]*)?$/.test(url.pathname)) return undefined;
  const target = new URL(url.pathname, 'http://localhost');
  target.searchParams.set('project', project);
  const event = url.searchParams.get('event');
  if (isHook && event !== null) target.searchParams.set('event', event);
  // In a sandbox, a hook that fails must not count as one that allows.
  if (isHook) target.searchParams.set('fail', 'closed');
  return target;
}

function bearerOf({ headers }: IncomingMessage): string {
  const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token : '';
}
