import { describe, expect, it, onTestFinished } from 'vitest';
import { bareLaunch } from '../../src/sandbox/port.ts';
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
    maxMessageBytes: 2 ** 24,
  });
  transport.listen({ received: (message) => received.push(message), ended: () => undefined, doubted: () => undefined });
  await transport.start();
  onTestFinished(() => transport.close());
  return { transport, received };
}

const call = (id: number, body = ''): Message => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { body } });

describe('an upstream that is a process', () => {
  /** Says for every read how many lines were in it. */
  const counting = `process.stdin.on('data', (chunk) =>
    console.log(JSON.stringify({ jsonrpc: '2.0', id: 0, result: { lines: String(chunk).split('\\n').length - 1 } })));`;
  const linesOf = (received: readonly Message[]) => received.map(({ result }) => Number(result?.['lines']));
  const ready = async () => {
    const { transport, received } = await started(counting);
    await transport.send(call(0));
    await expect.poll(() => linesOf(received), { timeout: 5000 }).toEqual([1]);
    return { transport, received };
  };

  it('gets what is sent just before it is closed', async () => {
    const { transport, received } = await ready();
    const sent = [transport.send(call(1)), transport.send(call(2)), transport.send(call(3))];
    await transport.close();
    await Promise.all(sent);
    expect(linesOf(received).reduce((sum, lines) => sum + lines, 0)).toBe(4);
  });

  it('gets everything in its order, whatever its length', async () => {
    const echo = `let text = ''; process.stdin.on('data', (chunk) => { text += chunk;
      for (let at; (at = text.indexOf('\\n')) >= 0; text = text.slice(at + 1)) {
        const { id, params } = JSON.parse(text.slice(0, at));
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { length: params.body.length } }));
      } });`;
    const { transport, received } = await started(echo);
    const lengths = [10, 300_000, 5, 5, 2_000_000, 200_000, 200_000, 1, 6_000_000, 0];
    const sending = lengths.map((length, id) => transport.send(call(id, 'x'.repeat(length))));
    await Promise.all(sending);
    await expect
      .poll(() => received.map(({ id, result }) => [id, result?.['length']]), { timeout: 10_000 })
      .toEqual(lengths.map((length, id) => [id, length]));
  });

  const isSent = async (sending: Promise<void>): Promise<boolean> => {
    const error = await sending.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Lost);
    return (error as Lost).sent;
  };
  /** Takes the first bytes that come, and closes its ear in the middle of them. */
  const deaf = `const fs = require('node:fs'); fs.readSync(0, Buffer.alloc(100)); fs.closeSync(0); setInterval(() => {}, 1000);`;
  /** More than a pipe holds. */
  const large = 'x'.repeat(4 * 2 ** 20);

  it('has not got a line that it did not take whole, nor one that waited behind it', async () => {
    const { transport } = await started(deaf);
    const sending = [call(1, large), call(2), call(3)].map((one) => isSent(transport.send(one)));
    expect(await Promise.all(sending)).toEqual([false, false, false]);
  });

  it('has got a line that it took before it closed its ear to the next one', async () => {
    const { transport } =
      await started(`const fs = require('node:fs'); const chunk = Buffer.alloc(65536); let lines = 0;
      while (lines < 2) lines += chunk.toString('latin1', 0, fs.readSync(0, chunk)).split('\\n').length - 1;
      fs.closeSync(0); setInterval(() => {}, 1000);`);
    const first = transport.send(call(1, large));
    const second = transport.send(call(2));
    const third = isSent(transport.send(call(3, large)));
    await first;
    await second;
    expect(await third).toBe(false);
  });

  it('has not got what it closed its ear to before', async () => {
    const { transport, received } = await started(
      `require('node:fs').closeSync(0); console.log('{"jsonrpc":"2.0","id":0,"result":{}}'); setInterval(() => {}, 1000);`,
    );
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(1);
    const sending = [call(1), call(2), call(3)].map((one) => isSent(transport.send(one)));
    expect(await Promise.all(sending)).toEqual([false, false, false]);
  });

  it('has not got what still waited when it ended', async () => {
    const { transport, received } = await started(
      `console.log('{"jsonrpc":"2.0","id":0,"result":{}}'); setInterval(() => {}, 1000);`,
    );
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(1);
    const first = transport.send(call(1, large)).catch(() => undefined);
    const behind = [call(2), call(3)].map((one) => isSent(transport.send(one)));
    await transport.close();
    await first;
    expect(await Promise.all(behind)).toEqual([false, false]);
  });
});
