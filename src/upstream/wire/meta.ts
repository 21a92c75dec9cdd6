import type { JsonObject } from '../../base/json-object.ts';
import type { Wire } from '../../kernel/relay.ts';
import { capabilitiesFor } from './capabilities.ts';
import type { Greeting } from './handshake.ts';

const prefix = 'io.modelcontextprotocol/';

/** Belongs to the client's own connection to us. Everything else in `_meta` is between it and the upstream. */
const ours = new Set([
  'progressToken',
  ...['protocolVersion', 'clientInfo', 'clientCapabilities', 'logLevel'].map((key) => `${prefix}${key}`),
]);

/** A client that never set a level hears of a server of the 2026 era what most servers of the 2025 era would say. */
const defaultLevel = 'info';

/** `_meta` of a request as it goes to the upstream; undefined where nothing is left to say. */
export function forwardedMeta(
  given: JsonObject | undefined,
  wire: Pick<Wire, 'era' | 'capabilities' | 'logLevel'>,
  { era }: Pick<Greeting, 'era'>,
): JsonObject | undefined {
  if (given === undefined && era === 'legacy') return undefined;
  const kept = Object.entries(given ?? {}).filter(([key]) => !ours.has(key));
  if (era === 'modern') {
    kept.push([`${prefix}clientCapabilities`, capabilitiesFor('modern', wire)]);
    const level = wire.logLevel ?? (wire.era === 'legacy' ? defaultLevel : undefined);
    if (level !== undefined) kept.push([`${prefix}logLevel`, level]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
