import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { isTooDeep, maxDepth } from '../../kernel/json-limits.ts';
import type { Reason } from '../../kernel/text/text.ts';
import { causes } from './cause.ts';
import { Lost, type Message, type Transport, UpstreamError } from './message.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly onProgress?: ((params: JsonObject) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface PeerAnswer {
  readonly result: JsonObject;
  /** The size of the message, if the transport counted it. */
  readonly bytes: number | undefined;
  /** The request's id, which is also its progress token. */
  readonly id: string | number;
}

const verdictMs = 200;
const tooDeep = { code: -32603, message: `The message is nested deeper than ${maxDepth} levels` };

interface Pending {
  readonly options: RequestOptions;
  /** The message was sent completely; before that, the transport's error says whether it arrived. */
  sent: boolean;
  settle(outcome: PeerAnswer | Error): void;
}

/** The client side of JSON-RPC. A proxy must pass everything on; the SDK's client would drop unknown fields. */
export class Peer {
  readonly transport: Transport;
  /** Added to the `_meta` of every 2026-era request. */
  envelope: JsonObject | undefined;
  onRequest: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject> = async (method) => {
    throw Object.assign(new Error(`Method not found: ${method}`), { code: -32601 });
  };
  onNotification: (method: string, params: JsonObject) => void = () => undefined;
  onClose: (cause: Reason) => void = () => undefined;
  onDoubt: () => void = () => undefined;
  readonly #pending = new Map<string | number, Pending>();
  readonly #serving = new Map<unknown, AbortController>();
  #next = 1;
  #ended: Reason | undefined;

  constructor(transport: Transport) {
    this.transport = transport;
    transport.listen({
      received: (message, bytes) => this.#receive(message, bytes),
      ended: (cause) => this.#end(cause),
      doubted: () => this.onDoubt(),
    });
  }

  request(method: string, params: JsonObject | undefined, options: RequestOptions = {}): Promise<PeerAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new Lost(this.#ended, false));
      const { signal, timeoutMs, headers } = options;
      if (signal?.aborted === true) return reject(cancelled(signal));
      const id = this.#next++;
      const own = this.transport.hasPerRequestStream === true ? new AbortController() : undefined;
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => giveUp(new Lost(causes.silent(method, timeoutMs), true), 'timeout'), timeoutMs);
      const settle = (outcome: PeerAnswer | Error) => {
        if (!this.#pending.delete(id)) return;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      const giveUp = (error: Error, reason: string) => {
        settle(error);
        // The protocol forbids cancelling `initialize`.
        if ((this.envelope === undefined || own === undefined) && method !== 'initialize')
          this.#tell('notifications/cancelled', { requestId: id, reason });
        own?.abort();
      };
      const onAbort = () => giveUp(cancelled(signal), String(abortedBy(signal)));
      signal?.addEventListener('abort', onAbort, { once: true });
      const pending: Pending = { options, settle, sent: false };
      this.#pending.set(id, pending);
      this.transport
        .send(this.#messageOf(method, params, options, id), {
          headers,
          requestSignal: own?.signal,
          onRequestStreamEnd: own && (() => settle(new Lost(causes.streamEnded, true))),
        })
        .then(
          () => {
            pending.sent = true;
            if (this.#ended !== undefined) settle(new Lost(this.#ended, true));
          },
          (error: unknown) => settle(error instanceof Error ? error : new Lost(String(error), true)),
        );
    });
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    await this.transport.send(this.#messageOf(method, params, {}));
  }

  /** Like `notify`, but ignores errors. */
  #tell(method: string, params: JsonObject): void {
    this.notify(method, params).catch(() => undefined);
  }

  async close(cause: Reason): Promise<void> {
    this.#end(cause);
    // Closing interrupts messages in transit; without this wait no one could tell whether they arrived.
    for (const end = Date.now() + verdictMs; this.#pending.size > 0 && Date.now() < end;) await pause(5);
    try {
      await this.transport.close();
    } finally {
      for (const pending of this.#pending.values()) pending.settle(new Lost(cause, true));
    }
  }

  /** Builds a request if there is an id, else a notification. */
  #messageOf(method: string, params: JsonObject | undefined, { onProgress }: RequestOptions, id?: number): Message {
    const build = (given: JsonObject | undefined): Message =>
      id === undefined ? { jsonrpc: '2.0', method, params: given } : { jsonrpc: '2.0', id, method, params: given };
    if (this.envelope === undefined && onProgress === undefined) return build(params);
    const meta = {
      ...this.envelope,
      ...(params?.['_meta'] as JsonObject | undefined),
      ...(onProgress !== undefined && { progressToken: id }),
    };
    return build({ ...params, _meta: meta });
  }

  #receive(given: Message, bytes: number | undefined): void {
    const { id, method } = given;
    const deep = isTooDeep(given);
    if (deep && typeof method === 'string') {
      if (id !== undefined) this.transport.send({ jsonrpc: '2.0', id, error: tooDeep }).catch(() => undefined); // The upstream has disconnected.
      return;
    }
    const message: Message = deep ? { jsonrpc: '2.0', id, error: tooDeep } : given;
    if (typeof method === 'string') {
      if (id !== undefined) this.#serve(id, method, message.params ?? {});
      else if (method === 'notifications/progress') this.#progress(message.params ?? {});
      else if (method === 'notifications/cancelled') this.#serving.get(message.params?.['requestId'])?.abort();
      else this.onNotification(method, message.params ?? {});
      return;
    }
    if (id === undefined) return;
    // Some servers write absent fields as null; a null error is no error.
    const pending = this.#pending.get(id);
    if (isJsonObject(message.error)) pending?.settle(new UpstreamError(message.error));
    else pending?.settle({ result: message.result ?? {}, bytes, id });
  }

  #progress(params: JsonObject): void {
    const token = params['progressToken'];
    const pending = this.#pending.get(token as string | number);
    // Progress without a running request may belong to a task.
    if (pending === undefined) this.onNotification('notifications/progress', params);
    else pending.options.onProgress?.(params);
  }

  #serve(id: string | number, method: string, params: JsonObject): void {
    const stop = new AbortController();
    this.#serving.set(id, stop);
    this.onRequest(method, params, stop.signal)
      .then(
        (result): Message => ({ jsonrpc: '2.0', id, result }),
        (error: Error & { code?: unknown; data?: unknown }): Message => ({
          jsonrpc: '2.0',
          id,
          error: {
            code: typeof error.code === 'number' ? error.code : -32603,
            message: error.message,
            ...(error.data !== undefined && { data: error.data }),
          },
        }),
      )
      .then((message) => {
        this.#serving.delete(id);
        // A cancelled request gets no answer.
        return stop.signal.aborted ? undefined : this.transport.send(message);
      })
      .catch(() => undefined); // The upstream has disconnected.
  }

  #end(cause: Reason): void {
    if (this.#ended !== undefined) return;
    this.#ended = cause;
    for (const pending of this.#pending.values()) if (pending.sent) pending.settle(new Lost(cause, true));
    for (const stop of this.#serving.values()) stop.abort();
    this.onClose(cause);
  }
}

function abortedBy(signal: AbortSignal | undefined): unknown {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason.message : (reason ?? 'cancelled');
}

function cancelled(signal: AbortSignal | undefined): Error {
  return Object.assign(new Error(`cancelled: ${String(abortedBy(signal))}`), { name: 'Cancelled' });
}
