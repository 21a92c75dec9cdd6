import type { JsonObject } from '../../base/json-object.ts';

/** Keys under which a request of the 2026 era says who asks, in its `_meta`. */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** A message of the 2026 era says so itself. */
export function claimsModern(message: unknown): boolean {
  const meta = ((message as JsonObject | null)?.['params'] as JsonObject | null | undefined)?.['_meta'];
  return typeof meta === 'object' && meta !== null && metaKey.protocolVersion in meta;
}
