import type { JsonObject } from '../../base/json-object.ts';

/** The `_meta` keys in which a 2026-era request describes its client. */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** Whether a message says that it is of the 2026 era. */
export function claimsModern(message: unknown): boolean {
  const meta = ((message as JsonObject | null)?.['params'] as JsonObject | null | undefined)?.['_meta'];
  return typeof meta === 'object' && meta !== null && metaKey.protocolVersion in meta;
}
