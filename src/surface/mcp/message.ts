import { RpcError, rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { maxDepth } from '../../kernel/json-limits.ts';

export type Id = string | number;

/** The most messages in a batch, as in the SDK. Only the revision of 2025-03 has batches, and we know no client that sends large ones. */
export const maxBatch = 100;

/** Checks that a value is a JSON-RPC 2.0 message of any kind. The rest of the code relies on its shape. */
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

/** The error answer for anything that was thrown. Its integer `code` and its `data` reach the client. */
export function errorMessage(id: Id, thrown: unknown): JsonObject {
  const { code, message, data } = thrown as { code?: unknown; message?: string; data?: unknown };
  const known = Number.isSafeInteger(code) ? (code as number) : rpc.internal;
  const error = { code: known, message: message ?? 'Internal error', ...(data !== undefined && { data }) };
  return { jsonrpc: '2.0', id, error };
}
