import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Socket } from '../../src/kernel/endpoint.ts';
import type { Principal } from '../../src/kernel/principal.ts';
import { createNames } from '../../src/surface/http/origin-check.ts';
import { attachSockets } from '../../src/surface/http/socket.ts';

const somebody: Principal = { role: 'agent', identity: 'os:somebody', person: false };

/** A real connection, whose token is looked up by `look`. */
async function connect(look: () => Promise<Principal | undefined>, pingMs: number) {
  const server = createServer();
  let give: (socket: Socket) => void = () => undefined;
  const given = new Promise<Socket>((done) => (give = done));
  const close = attachSockets(server, {
    endpoints: [{ path: '/ws', open: (socket) => give(socket) }],
    names: createNames(['127.0.0.1'], undefined),
    principalOf: look,
    pingMs,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`);
  const messages: string[] = [];
  client.on('message', (data: Buffer) => messages.push(data.toString('utf8')));
  onTestFinished(() => {
    client.terminate();
    close();
    server.close();
  });
  const ended = once(client, 'close').then(([code]) => code as number);
  return { socket: await given, messages, ended };
}

test('a quiet WebSocket is closed at the next ping after its token was revoked', async () => {
  let principal: Principal | undefined = somebody;
  const { ended } = await connect(async () => principal, 5);
  principal = undefined;
  expect(await ended).toBe(1008);
});

test('a message to a revoked token is not sent; those before it arrive in their order', async () => {
  let asked = 0;
  const { socket, messages, ended } = await connect(async () => {
    asked += 1;
    return asked <= 4 ? somebody : undefined; // Once for the handshake.
  }, 60_000);
  for (const text of ['1', '2', '3', '4']) socket.send(text);
  expect(await ended).toBe(1008);
  expect(messages).toEqual(['1', '2', '3']);
});

test('a WebSocket is closed where nobody can say whose token it is', async () => {
  let asked = 0;
  const { socket, messages, ended } = await connect(async () => {
    asked += 1;
    if (asked > 1) throw new Error('the database is away');
    return somebody;
  }, 60_000);
  socket.send('1');
  expect([await ended, messages]).toEqual([1011, []]);
});
