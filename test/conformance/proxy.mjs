import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Adds the token that the official suite cannot send; everything else passes as it is. */
export async function startProxy(target, token) {
  const server = createServer((incoming, outgoing) => {
    const { port } = server.address();
    // The daemon looks at Host and Origin to the port, and what names this proxy means the daemon.
    const meant = (value) => value?.replace(new RegExp(`:${port}$`), `:${target.port}`);
    const { host, origin, ...rest } = incoming.headers;
    const headers = {
      ...rest,
      host: meant(host),
      ...(origin !== undefined && { origin: meant(origin) }),
      authorization: `Bearer ${token}`,
    };
    const passed = request(new URL(incoming.url, target), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}${target.pathname}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
