import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../base/json-object.ts';
import { sendJson } from './body.ts';
import type { EventLog } from './event-log.ts';

export interface StreamTimes {
  /** An answer that is not there by then becomes a stream. */
  readonly promptMs: number;
  /** Whatever stands between us and the client must not take a quiet stream for a dead one. */
  readonly keepAliveMs: number;
  /** When a client whose connection ended should come back. */
  readonly retryMs: number;
}

export const defaultTimes: StreamTimes = { promptMs: 100, keepAliveMs: 15_000, retryMs: 1000 };

export interface StreamOptions {
  readonly session: string;
  readonly log: EventLog<Stream>;
  readonly times: StreamTimes;
  /** `json`: one message if that is all there is. `events`: always a stream. */
  readonly as: 'json' | 'events';
  /** The client understands an event without data, which tells it the first id. */
  readonly primed: boolean;
  /** Whether the client's token is still good. */
  readonly stillIn: () => Promise<boolean>;
}

/**
 * What one POST, or the GET of a session, is answered with: one JSON message where that is all there is, else a stream of
 * events. A stream outlives its connection: the client comes back for the rest with the id of the last event that it saw.
 */
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

  /** The client can be sent away, since it has an id to come back with. */
  get primed(): boolean {
    return this.#options.primed;
  }

  get connected(): boolean {
    return this.#response !== undefined;
  }

  /** The client went before it had an id to come back with. */
  lost(): boolean {
    return !this.#opened && !this.connected;
  }

  /** A message that others may follow. */
  send(message: JsonObject): void {
    this.#open();
    if (this.#opened) this.#write((id) => `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** The last message; none where there is nothing to say. */
  end(message?: JsonObject): void {
    // A session that ends and the call that ends with it both say so.
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

  /** Ends the connection of a client whose token was revoked since. Where it comes back it is refused like anybody else. */
  async leaveIfOut(): Promise<void> {
    const response = this.#response;
    if (!this.#opened || response === undefined || (await this.#stillIn())) return;
    if (this.#response === response) this.detach();
  }

  /** Ends the connection, not the answer. */
  detach(): void {
    this.#open();
    this.#response?.end();
    this.#disconnect();
  }

  /** The client is back, and has seen everything up to this event. */
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
