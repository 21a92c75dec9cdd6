import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Caller, Wire } from '../../kernel/relay.ts';
import type { Greeting } from './handshake.ts';

const prefix = 'io.modelcontextprotocol/';

/** Keys that belong to the client's connection to us. The rest of `_meta` is between the client and the upstream. */
const ours = new Set([
  'progressToken',
  ...['protocolVersion', 'clientInfo', 'clientCapabilities', 'logLevel'].map((key) => `${prefix}${key}`),
]);

/** The level for a client that never set one: a 2026-era server then sends what most 2025-era servers send. */
const defaultLevel = 'info';

/** Builds the `_meta` of a request to the upstream; undefined if it is empty. */
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

/** The client's capabilities, as we declare them: tasks differ between the eras, so the other era gets none. */
export function capabilitiesFor(era: 'legacy' | 'modern', client: Pick<Caller, 'era' | 'capabilities'>): JsonObject {
  if (client.era === era) return client.capabilities;
  const { tasks: _tasks, extensions, ...rest } = client.capabilities;
  if (!isJsonObject(extensions)) return rest;
  const { [`${prefix}tasks`]: _extension, ...others } = extensions;
  return Object.keys(others).length === 0 ? rest : { ...rest, extensions: others };
}
