import { RpcError, rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { maxDepth } from '../../kernel/json-limits.ts';

export type Id = string | number;

/** As many as the SDK takes. Only the revision of 2025-03 knows batches, and no client is known to send large ones. */
export const maxBatch = 100;

/** A JSON-RPC 2.0 message of any kind; the rest of the code may then trust its shape. */
export function isMessage(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return false;
  const { id, method, params, result, error } = value;
  const named = id === undefined || typeof id === 'string' || Number.isSafeInteger(id);
  if (!named || (params !== undefined && !isJsonObject(params))) return false;
  if (typeof method === 'string') return true;
  return id !== undefined && method === undefined && (isJsonObject(result) || isJsonObject(error));
}

export function isRequest(message: JsonObject): boolean {
  return message['method'] !== undefined && message['id'] !== undefined;
}

export function answerMessage(id: Id, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

export function tooDeepError(): RpcError {
  return new RpcError(rpc.invalidRequest, `The message is nested deeper than ${maxDepth} levels`);
}

/** Anything that was thrown, as an answer: its integer `code` and its `data` reach the client. */
export function errorMessage(id: Id, thrown: unknown): JsonObject {
  const { code, message, data } = thrown as { code?: unknown; message?: string; data?: unknown };
  const known = Number.isSafeInteger(code) ? (code as number) : rpc.internal;
  const error = {
    code: known,
    message: message ?? 'Internal error',
    ...(data !== undefined && { data }),
  };
  return { jsonrpc: '2.0', id, error };
}
