import { once } from 'node:events';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

// Below those that the system gives to connections and to whoever asks for any: of these, one that was let go for a moment
// may belong to somebody else by then, or be the near end of the very connection that looks for it.
const lowest = 20_000;
const each = 700;

/** A port for a server that will be stopped and started again on it. Files that run at the same time never get the same one. */
export async function lastingPort(): Promise<number> {
  const from = lowest + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 16) * each;
  for (;;) {
    const port = from + randomInt(each);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
