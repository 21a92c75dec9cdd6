import { PROTOCOL_VERSION_META_KEY, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Plain } from '../../kernel/plain.ts';
import { isServed } from './mcp.ts';

export interface PlainRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Plain;
}

/**
 * Whether a message is a plain 2025-era request of ours, which may be answered without the SDK's transport: most of the
 * time that a short call takes is spent there. Whatever is unusual about it is left to the SDK, which knows every rule.
 */
export function isPlainRequest(message: unknown): message is PlainRequest {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  const { jsonrpc, id, method, params } = message as Plain;
  if (jsonrpc !== '2.0' || (typeof id !== 'string' && typeof id !== 'number')) return false;
  // The SDK rewrites lists of tools for the 2025 era.
  if (typeof method !== 'string' || method === 'tools/list' || !isServed(method)) return false;
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) return false;
  const meta = (params as Plain | undefined)?.['_meta'];
  return meta === undefined || (typeof meta === 'object' && meta !== null && !(PROTOCOL_VERSION_META_KEY in meta));
}

/** The answer to a request, as the SDK would write it. */
export async function messageOf(id: string | number, result: Promise<Plain>): Promise<Plain> {
  try {
    return { jsonrpc: '2.0', id, result: await result };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: errorOf(error) };
  }
}

function errorOf(error: unknown): Plain {
  const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown };
  const known = Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError;
  return {
    // As the SDK does on its own way out.
    code: known === -32_002 ? ProtocolErrorCode.InvalidParams : known,
    message: message ?? 'Internal error',
    ...(data !== undefined && { data }),
  };
}
