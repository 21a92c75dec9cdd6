import { rpc } from '../../kernel/exchange.ts';
import { messageOf } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { type Reason, inLang } from '../../kernel/text/text.ts';

/** A JSON-RPC message as sent; the relay neither checks nor drops anything in it. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | undefined;
  readonly method?: string;
  readonly params?: JsonObject | undefined;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface SendOptions {
  /** Cancels only this request, where each has its own stream. */
  readonly requestSignal?: AbortSignal | undefined;
  /** Called when this request's stream ends without an answer. */
  readonly onRequestStreamEnd?: (() => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function refusalMessage(id: string | number, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code: rpc.internal, message } };
}

/** Sends messages to an upstream. `send` fails with a `Lost` that says whether the message may have arrived. */
export interface Transport {
  start(): Promise<void>;
  send(message: Message, options?: SendOptions): Promise<void>;
  close(): Promise<void>;
  setProtocolVersion?(version: string): void;
  /** Each request has its own stream, and ending the stream cancels the request. */
  readonly hasPerRequestStream?: boolean;
  /** Must be called before `start`. */
  listen(listener: Listener): void;
}

export interface Listener {
  received(message: Message, bytes: number | undefined): void;
  /** The connection is over: nothing will arrive any more. */
  ended(cause: Reason): void;
  /** An error that may or may not mean the end. */
  doubted(): void;
}

/** The connection failed during a request. */
export class Lost extends Error {
  readonly reason: Reason;
  /** The upstream may have begun to work on the request. */
  readonly sent: boolean;
  /** A retry is useless: the program is missing, the token is wrong. */
  readonly final: boolean;
  readonly status: number | undefined;

  constructor(reason: Reason, sent: boolean, more: { final?: boolean; status?: number } = {}) {
    super(inLang(reason, 'en'));
    this.name = 'Lost';
    this.reason = reason;
    this.sent = sent;
    this.final = more.final ?? false;
    this.status = more.status;
  }
}

/** Returns the reason of an error, in every language if the text is ours. */
export function reasonOf(error: unknown): Reason {
  return error instanceof Lost ? error.reason : messageOf(error);
}

/** An error answer of the upstream; code and data reach our client unchanged. */
export class UpstreamError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: NonNullable<Message['error']>) {
    super(message);
    this.name = 'UpstreamError';
    this.code = code;
    this.data = data;
  }
}
