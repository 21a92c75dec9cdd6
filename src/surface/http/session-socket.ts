import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { chmodSync } from 'node:fs';
import type { Principal } from '../../kernel/principal.ts';
import { makeToken } from '../../kernel/token.ts';
import { sendJson } from './body.ts';
import { type FailureOptions, answerFailure } from './failure.ts';
import type { Incoming } from './incoming.ts';
import { urlOf } from './origin-check.ts';
import type { Sender } from './sender.ts';

/** One agent in a sandbox: whatever comes from in there is this agent, in this project. */
export interface SessionOptions {
  /** Where to listen, in a folder that is its owner's alone. */
  readonly path: string;
  readonly project: string;
  readonly principal: Principal;
  /** The client whose hooks are asked over TCP; undefined where none are. */
  readonly client: string | undefined;
}

export interface SandboxSocketSession {
  /** Good for `/hook/<client>` of this session and nothing else: an agent that reads it can only ask what it may do. */
  readonly hookToken: string;
  close(): Promise<void>;
}

/** What the daemon does with a request whose sender is known. */
export type Handler = (request: Incoming, response: ServerResponse, url: URL, sender: Sender) => Promise<void>;

export interface SessionSockets {
  open(options: SessionOptions): Promise<SandboxSocketSession>;
  any(): boolean;
  /** Answers a request over TCP that carries a session's token. */
  answer(request: Incoming, response: ServerResponse, url: URL): Promise<boolean>;
  close(): Promise<void>;
}

/** Headers and query say nothing here: who, where and for which session is settled by the socket. */
export function createSessionSockets(handle: Handler, failures: FailureOptions): SessionSockets {
  const byToken = new Map<string, SessionOptions>();
  const open = new Set<SandboxSocketSession>();

  const pass = async (session: SessionOptions, request: Incoming, response: ServerResponse, url: URL) => {
    const settled = settledUrl(session, request.method, url);
    if (settled === undefined)
      return sendJson(response, 403, { error: 'FORBIDDEN: a sandboxed session has only /mcp and /hook.' });
    for (const name of ['authorization', 'x-api-key', 'sekisho-role', 'cookie']) delete request.headers[name];
    // Nobody can take a socket back but who opened it, and then its connections end.
    return handle(request, response, settled, { principal: session.principal, stillIn: async () => true });
  };

  return {
    async open(options) {
      const server = createServer((request, response) => {
        // A path that is no address must not reach anything.
        const url = urlOf(request) ?? new URL('http://localhost/');
        pass(options, request as Incoming, response, url).catch((error: unknown) => {
          answerFailure(response, failures, request.url, error);
        });
      });
      // Nothing is upgraded: a WebSocket would be another way in.
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
        sendJson(response, 403, { error: 'FORBIDDEN: this token is good for the hooks of one session.' });
      else await pass(session, request, response, url);
      return true;
    },
    async close() {
      await Promise.all([...open].map((one) => one.close()));
    },
  };
}

/** The address with what the session says in place of what the request says; undefined where it is not the session's. */
function settledUrl({ project }: SessionOptions, method: string, url: URL): URL | undefined {
  const isHook = method === 'POST' && /^\/hook\/[a-z-]+$/.test(url.pathname);
  if (!isHook && !/^\/mcp(\/[a-z,]*)?$/.test(url.pathname)) return undefined;
  const settled = new URL(url.pathname, 'http://localhost');
  settled.searchParams.set('project', project);
  const event = url.searchParams.get('event');
  if (isHook && event !== null) settled.searchParams.set('event', event);
  // A hook that fails in there must not look like one that agrees.
  if (isHook) settled.searchParams.set('fail', 'closed');
  return settled;
}

function bearerOf({ headers }: IncomingMessage): string {
  const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token : '';
}
