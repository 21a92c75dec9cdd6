import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../base/json-object.ts';
import { sendJson } from './body.ts';
import type { EventLog } from './event-log.ts';

export interface StreamTimes {
  /** An answer that takes longer becomes a stream. */
  readonly promptMs: number;
  /** The interval of comments that keep proxies from closing a quiet stream. */
  readonly keepAliveMs: number;
  /** The delay after which a disconnected client should reconnect. */
  readonly retryMs: number;
}

export const defaultTimes: StreamTimes = { promptMs: 100, keepAliveMs: 15_000, retryMs: 1000 };

export interface StreamOptions {
  readonly session: string;
  readonly log: EventLog<Stream>;
  readonly times: StreamTimes;
  /** `json`: a single message if there is only one in time. `events`: always a stream. */
  readonly as: 'json' | 'events';
  /** Whether the client accepts an event without data, which gives it the first id. */
  readonly primed: boolean;
  readonly stillIn: () => Promise<boolean>;
}

/** The answer to a POST or to a session's GET. It outlives its connection: a client that reconnects gets the rest. */
export class Stream {
  readonly #options: StreamOptions;
  #response: ServerResponse | undefined;
  #opened = false;
  #ended = false;
  #stillIn: () => Promise<boolean>;
  #prompt: NodeJS.Timeout | undefined;
  #pulse: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, options: StreamOptions) {
    this.#options = options;
    this.#stillIn = options.stillIn;
    this.#connect(response);
    if (options.as === 'events') this.#open();
    else this.#prompt = setTimeout(() => this.#open(), options.times.promptMs);
  }

  get session(): string {
    return this.#options.session;
  }

  /** Whether the client can be disconnected: it then has an id to reconnect with. */
  get primed(): boolean {
    return this.#options.primed;
  }

  get connected(): boolean {
    return this.#response !== undefined;
  }

  /** Whether the client disconnected before it had an id to reconnect with. */
  lost(): boolean {
    return !this.#opened && !this.connected;
  }

  /** Sends a message that is not the last one. */
  send(message: JsonObject): void {
    this.#open();
    if (this.#opened) this.#write((id) => `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** Ends the answer, with the last message if there is one. */
  end(message?: JsonObject): void {
    // A session that ends calls this, and so does each request that it aborts.
    if (this.#ended) return;
    clearTimeout(this.#prompt);
    this.#ended = true;
    if (this.#opened) {
      if (message !== undefined) this.send(message);
      this.detach();
    } else if (this.#response !== undefined) {
      if (message === undefined) this.#response.writeHead(202).end();
      else sendJson(this.#response, 200, message, { 'Mcp-Session-Id': this.session });
      this.#disconnect();
    }
  }

  /** Ends the connection of a client whose token was revoked. If it reconnects, it is refused. */
  async leaveIfOut(): Promise<void> {
    const response = this.#response;
    if (!this.#opened || response === undefined || (await this.#stillIn())) return;
    if (this.#response === response) this.detach();
  }

  detach(): void {
    this.#open();
    this.#response?.end();
    this.#disconnect();
  }

  /** Continues on a new connection, after the last event that the client saw. */
  resume(response: ServerResponse, after: number, stillIn: () => Promise<boolean>): void {
    this.#stillIn = stillIn;
    this.#connect(response);
    this.#begin();
    for (const event of this.#options.log.after(after)) response.write(event);
    if (this.#ended) this.detach();
  }

  #connect(response: ServerResponse): void {
    this.#response = response;
    response.once('close', () => {
      if (this.#response === response) this.#disconnect();
    });
  }

  #disconnect(): void {
    clearInterval(this.#pulse);
    this.#response = undefined;
  }

  #open(): void {
    if (this.#opened || !this.connected) return;
    clearTimeout(this.#prompt);
    this.#opened = true;
    this.#begin();
    const { primed, times } = this.#options;
    if (primed) this.#write((id) => `id: ${id}\nretry: ${times.retryMs}\ndata: \n\n`);
  }

  #begin(): void {
    this.#response?.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      'Mcp-Session-Id': this.session,
    });
    this.#response?.flushHeaders();
    const { keepAliveMs } = this.#options.times;
    this.#pulse = setInterval(() => {
      void this.leaveIfOut().then(() => this.#response?.write(': keepalive\n\n'));
    }, keepAliveMs).unref();
  }

  #write(event: (id: number) => string): void {
    this.#response?.write(this.#options.log.add(this, event));
  }
}
