import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Caller } from '../../kernel/relay.ts';

const tasksExtension = 'io.modelcontextprotocol/tasks';

/**
 * What we promise an upstream on behalf of a client: whatever the client says it can do. Only tasks are another thing in
 * either era, and one of the other era cannot be carried over.
 */
export function capabilitiesFor(era: 'legacy' | 'modern', client: Pick<Caller, 'era' | 'capabilities'>): JsonObject {
  if (client.era === era) return client.capabilities;
  const { tasks: _tasks, extensions, ...rest } = client.capabilities;
  if (!isJsonObject(extensions)) return rest;
  const { [tasksExtension]: _extension, ...others } = extensions;
  return Object.keys(others).length === 0 ? rest : { ...rest, extensions: others };
}
