import type { JsonObject } from '../base/json-object.ts';

/** A client as it describes itself: at `initialize`, or in every request of the 2026 era. */
export interface Client {
  readonly name: string | undefined;
  readonly capabilities: JsonObject;
}

/** A channel to a client. */
export interface Voice {
  /** Sends a notification. A log message below the client's level is dropped. */
  readonly notify: (method: string, params: JsonObject) => Promise<void>;
  /** Sends a request to the client (2025 era only). An answer with `resultType: 'input_required'` asks a client of either era. */
  readonly request: (method: string, params: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;
}

/** One request of an MCP client, over any transport. Messages that are sent through it belong to this request. */
export interface Exchange extends Voice {
  readonly era: 'legacy' | 'modern';
  readonly client: Client;
  readonly meta: JsonObject | undefined;
  /** Aborts when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Closes the connection of this answer; the client reconnects for the rest. Absent if it cannot. */
  readonly detach?: (() => void) | undefined;
}

/** Error codes of JSON-RPC and MCP. */
export const rpc = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  missingCapability: -32021,
  /** Only in the 2025 era. */
  resourceNotFound: -32002,
  urlElicitationRequired: -32042,
} as const;

/** A protocol error. Anything else that is thrown reaches the client as an internal error. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
