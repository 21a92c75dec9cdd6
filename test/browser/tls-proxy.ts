import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../fixtures/tls');

/** Speaks TLS for a daemon that is started afterwards, because the daemon has to know its address. */
export async function startTlsProxy(target: () => Promise<string>): Promise<{ readonly url: string; close(): void }> {
  const server = createServer({
    key: readFileSync(join(folder, 'key.pem')),
    cert: readFileSync(join(folder, 'certificate.pem')),
  });
  server.on('request', (given, response) => {
    void target().then((url) => {
      const { method, headers } = given;
      const onward = request(new URL(given.url ?? '/', url), {
        method,
        headers: { ...headers, 'x-forwarded-proto': 'https' },
      });
      onward.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      // The browser went away, or the daemon did.
      onward.once('error', () => response.destroy());
      response.once('close', () => onward.destroy());
      given.pipe(onward);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
