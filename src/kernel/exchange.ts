import type { JsonObject } from '../base/json-object.ts';

/** What a client says of itself: at `initialize`, or in the envelope of every request of the 2026 era. */
export interface Client {
  readonly name: string | undefined;
  readonly capabilities: JsonObject;
}

/** How a client is spoken to. */
export interface Voice {
  /** A log message below the level that the client wants is dropped. */
  readonly notify: (method: string, params: JsonObject) => Promise<void>;
  /** Asks the client; 2025 era only (an answer with `resultType: 'input_required'` asks a client of either era). */
  readonly request: (method: string, params: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;
}

/** One request of an MCP client, whatever it came over. What is said over it is about this request. */
export interface Exchange extends Voice {
  readonly era: 'legacy' | 'modern';
  readonly client: Client;
  readonly meta: JsonObject | undefined;
  /** Aborts when the client cancels the request, or has gone. */
  readonly signal: AbortSignal;
  /** Ends the connection of this answer: the client comes back for the rest. Absent where a client could not. */
  readonly detach?: (() => void) | undefined;
}

/** Codes of JSON-RPC and of MCP. */
export const rpc = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  missingCapability: -32021,
  /** Of the 2025 era alone. */
  resourceNotFound: -32002,
  urlElicitationRequired: -32042,
} as const;

/** A request that fails as the protocol says it; anything else that is thrown is an internal error to the client. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
