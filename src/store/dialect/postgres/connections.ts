import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * The connections of a pool. The one that was used last stays at hand: who makes one call after the other need not hand it in
 * and fetch it again, which costs more than all else of a call in the driver.
 */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #broken = new WeakSet<pg.PoolClient>();
  #spare: pg.PoolClient | undefined;
  #isClosed = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    // Idle or in use, a connection that breaks must not end the process: its queries reject, the pool replaces it.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => this.#lose(client)));
  }

  async take(): Promise<pg.PoolClient> {
    const spare = this.#spare;
    if (spare === undefined) return this.#pool.connect();
    this.#spare = undefined;
    const socket = socketOf(spare);
    // The server has hung up, and the driver has not heard it yet.
    if (!socket.writable) {
      spare.release(true);
      return this.#pool.connect();
    }
    socket.ref();
    return spare;
  }

  giveBack(client: pg.PoolClient, isBroken: boolean): void {
    const isLost = isBroken || this.#broken.has(client);
    if (isLost || this.#isClosed || this.#spare !== undefined || this.#pool.waitingCount > 0)
      return client.release(isLost);
    this.#spare = client;
    // Nobody waits for it: it must not keep the process from ending.
    socketOf(client).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#spare?.release();
    this.#spare = undefined;
    await this.#pool.end();
  }

  #lose(client: pg.PoolClient): void {
    this.#broken.add(client);
    if (this.#spare !== client) return;
    this.#spare = undefined;
    client.release(true);
  }
}

function socketOf({ connection }: pg.PoolClient): Socket {
  return connection.stream as Socket;
}
