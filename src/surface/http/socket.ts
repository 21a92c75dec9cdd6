import type { IncomingMessage, Server } from 'node:http';
import { WebSocketServer } from 'ws';
import type { SocketEndpoint } from '../../kernel/endpoint.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Names } from './local.ts';
import { foreignness, urlOf } from './local.ts';

const pingMs = 30_000;

/** WebSockets of the modules. A browser of another origin is turned away before the handshake. */
export function attachSockets(
  server: Server,
  endpoints: readonly SocketEndpoint[],
  names: Names,
  principalOf: (request: IncomingMessage, url: URL) => Promise<Principal | 'forbidden' | undefined>,
): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  server.on('upgrade', (request, stream, head) => {
    // Until ws takes over nobody else listens, and a client that resets would take the daemon down.
    stream.on('error', () => stream.destroy());
    const refuse = (status: string) => stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    const url = urlOf(request);
    if (url === undefined) return refuse('400 Bad Request');
    const endpoint = endpoints.find((one) => one.path === url.pathname);
    if (endpoint === undefined) return refuse('404 Not Found');
    if (foreignness(request, names) !== undefined) return refuse('403 Forbidden');
    principalOf(request, url)
      .then((principal) => {
        if (principal === undefined || principal === 'forbidden') return refuse('401 Unauthorized');
        return sockets.handleUpgrade(request, stream, head, (socket) => {
          const timer = setInterval(() => socket.ping(), pingMs);
          socket.once('close', () => clearInterval(timer));
          socket.on('error', () => socket.terminate());
          endpoint.open(
            {
              send: (text) => socket.send(text),
              close: () => socket.close(),
              // A text frame arrives as one buffer, since no option asks for fragments.
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
