import type { IncomingMessage, Server } from 'node:http';
import { WebSocketServer } from 'ws';
import type { SocketEndpoint } from '../../kernel/endpoint.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type OwnHosts, originProblem, urlOf } from './origin-check.ts';

const defaultPingMs = 30_000;
/** Close codes of RFC 6455. */
const policyViolation = 1008;
const internalError = 1011;

export interface SocketsOptions {
  readonly endpoints: readonly SocketEndpoint[];
  readonly names: OwnHosts;
  readonly principalOf: (request: IncomingMessage, url: URL) => Promise<Principal | 'forbidden' | undefined>;
  readonly pingMs?: number;
}

/**
 * Serves the modules' WebSockets. Browsers of another origin are refused before the handshake. The token is looked up again
 * before each message and each ping, so a revoked one gets nothing more.
 */
export function attachSockets(
  server: Server,
  { endpoints, names, principalOf, pingMs = defaultPingMs }: SocketsOptions,
): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  server.on('upgrade', (request, stream, head) => {
    // Until ws takes over, no one else handles errors of this stream, and a reset by the client would crash the daemon.
    stream.on('error', () => stream.destroy());
    const refuse = (status: string) => stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    const url = urlOf(request);
    if (url === undefined) return refuse('400 Bad Request');
    const endpoint = endpoints.find((one) => one.path === url.pathname);
    if (endpoint === undefined) return refuse('404 Not Found');
    if (originProblem(request, names) !== undefined) return refuse('403 Forbidden');
    principalOf(request, url)
      .then((principal) => {
        if (!isAuthenticated(principal)) return refuse('401 Unauthorized');
        return sockets.handleUpgrade(request, stream, head, (socket) => {
          const ifStillIn = async (go: () => void): Promise<void> => {
            try {
              if (isAuthenticated(await principalOf(request, url))) go();
              else socket.close(policyViolation, 'The token is no longer valid');
            } catch {
              socket.close(internalError, 'The token cannot be looked up');
            }
          };
          const timer = setInterval(() => void ifStillIn(() => socket.ping()), pingMs);
          socket.once('close', () => clearInterval(timer));
          socket.on('error', () => socket.terminate());
          // Messages go out one after the other, in the order of `send`.
          let last = Promise.resolve();
          endpoint.open(
            {
              send: (text) => void (last = last.then(() => ifStillIn(() => socket.send(text)))),
              close: () => void (last = last.then(() => socket.close())),
              // ws delivers a text frame as one buffer unless it is configured for fragments.
              onMessage: (listener) => void socket.on('message', (data: Buffer) => listener(data.toString('utf8'))),
              onClose: (listener) => void socket.once('close', listener),
            },
            { query: url.searchParams, principal },
          );
        });
      })
      .catch(() => refuse('500 Internal Server Error'));
    return undefined;
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

function isAuthenticated(principal: Principal | 'forbidden' | undefined): principal is Principal {
  return principal !== undefined && principal !== 'forbidden';
}
