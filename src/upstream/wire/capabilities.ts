import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Caller } from '../../kernel/relay.ts';

const tasksExtension = 'io.modelcontextprotocol/tasks';

/**
 * Returns the capabilities that we declare to an upstream: those of the client. Tasks differ between the eras and
 * cannot be carried over, so they are left out for an upstream of the other era.
 */
export function capabilitiesFor(era: 'legacy' | 'modern', client: Pick<Caller, 'era' | 'capabilities'>): JsonObject {
  if (client.era === era) return client.capabilities;
  const { tasks: _tasks, extensions, ...rest } = client.capabilities;
  if (!isJsonObject(extensions)) return rest;
  const { [tasksExtension]: _extension, ...others } = extensions;
  return Object.keys(others).length === 0 ? rest : { ...rest, extensions: others };
}
