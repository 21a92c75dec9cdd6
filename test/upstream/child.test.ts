import { describe, expect, it, onTestFinished } from 'vitest';
import { bareLaunch } from '../../src/kernel/confine.ts';
import { ChildTransport } from '../../src/upstream/wire/child.ts';
import { Lost, type Message } from '../../src/upstream/wire/message.ts';

/** An upstream that runs this script. `received` has what came from it. */
async function started(script: string) {
  const received: Message[] = [];
  const transport = new ChildTransport({
    command: [process.execPath, '-e', script],
    cwd: process.cwd(),
    env: {},
    launch: async (start) => bareLaunch(start),
    onStart: () => undefined,
    onEnd: async () => undefined,
    maxMessageBytes: 2 ** 20,
  });
  transport.listen({
    received: (message) => received.push(message),
    ended: () => undefined,
    doubted: () => undefined,
  });
  await transport.start();
  onTestFinished(() => transport.close());
  return { transport, received };
}

const call = (id: number, body = ''): Message => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { body } });
const failure = (sending: Promise<void>): Promise<unknown> =>
  sending.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an upstream that is a process', () => {
  /** Says for every read how many lines were in it. */
  const counting = `process.stdin.on('data', (chunk) =>
    console.log(JSON.stringify({ jsonrpc: '2.0', id: 0, result: { lines: String(chunk).split('\\n').length - 1 } })));`;
  const linesOf = (received: readonly Message[]) => received.map(({ result }) => Number(result?.['lines']));

  it('gets what is sent to it in one turn in one write, where others wait too', async () => {
    const { transport, received } = await started(counting);
    await Promise.all([1, 2, 3, 4].map((id) => transport.send(call(id), { together: true })));
    await expect.poll(() => linesOf(received)).toEqual([4]);
    await transport.send(call(5));
    await expect.poll(() => linesOf(received)).toEqual([4, 1]);
  });

  it('gets what is sent just before it is closed', async () => {
    const { transport, received } = await started(counting);
    const sent = transport.send(call(1), { together: true });
    await transport.close();
    await sent;
    expect(linesOf(received)).toEqual([1]);
  });

  /** Takes the first bytes that come, and closes its ear in the middle of them. */
  const deaf = `const fs = require('node:fs'); fs.readSync(0, Buffer.alloc(100)); fs.closeSync(0); setInterval(() => {}, 1000);`;
  const large = 'x'.repeat(4 * 2 ** 20);

  it('has perhaps got the first of several lines of which it did not take all', async () => {
    const { transport } = await started(deaf);
    const sending = [call(1), call(2, large)].map((one) => failure(transport.send(one, { together: true })));
    for (const error of await Promise.all(sending)) {
      expect(error).toBeInstanceOf(Lost);
      expect((error as Lost).sent).toBe(true);
    }
  });

  it('has not got a line that it did not take whole', async () => {
    for (const together of [false, true]) {
      const { transport } = await started(deaf);
      const error = await failure(transport.send(call(1, large), { together }));
      expect(error).toBeInstanceOf(Lost);
      expect((error as Lost).sent).toBe(false);
    }
  });
});
