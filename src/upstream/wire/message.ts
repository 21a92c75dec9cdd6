import { rpc } from '../../kernel/exchange.ts';
import { messageOf } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { type Reason, inLang } from '../../kernel/text/text.ts';

/** JSON-RPC as it travels; nothing of it is checked or dropped on the way. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | undefined;
  readonly method?: string;
  readonly params?: JsonObject | undefined;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface SendOptions {
  /** Ends this request alone, where each has a stream of its own. */
  readonly requestSignal?: AbortSignal | undefined;
  /** The stream of this request ended without an answer. */
  readonly onRequestStreamEnd?: (() => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What cannot be taken, as the answer to whoever waits for it. */
export function refusalMessage(id: string | number, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code: rpc.internal, message } };
}

/** How messages reach an upstream. `send` fails with a `Lost` that says whether the message may have arrived. */
export interface Transport {
  start(): Promise<void>;
  send(message: Message, options?: SendOptions): Promise<void>;
  close(): Promise<void>;
  setProtocolVersion?(version: string): void;
  /** Each request has a stream of its own, and ending it cancels the request. */
  readonly hasPerRequestStream?: boolean;
  /** Before it is started. */
  listen(listener: Listener): void;
}

export interface Listener {
  received(message: Message, bytes: number | undefined): void;
  /** It is over: nothing will arrive any more. */
  ended(cause: Reason): void;
  /** Something broke that may or may not mean the end. */
  doubted(): void;
}

/** The connection failed under a request. */
export class Lost extends Error {
  readonly reason: Reason;
  /** The upstream may have begun to work on it. */
  readonly sent: boolean;
  /** Trying again is of no use: the program is missing, the token is wrong. */
  readonly final: boolean;
  /** The HTTP status, where one came. */
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

/** Why it was thrown: in every language where the words are ours. */
export function reasonOf(error: unknown): Reason {
  return error instanceof Lost ? error.reason : messageOf(error);
}

/** The upstream answered with an error of its own; code and data reach our client as they are. */
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
