import type { JsonObject } from '../../base/json-object.ts';
import type { Wire } from '../../kernel/relay.ts';
import { addressesAsked, resultFor } from './mapping.ts';
import type { Open } from './offers.ts';
import { send } from './send.ts';

/** Sends a request other than a tool call, once, on a live connection. */
export function ask(
  { clientConnection, connection }: Open,
  method: string,
  params: JsonObject,
  wire: Wire,
): Promise<JsonObject> {
  const resumed = clientConnection.calls.resume(wire, params);
  if (resumed !== undefined) return resumed;
  return clientConnection.calls.run(wire, async (running) => {
    try {
      const { result } = await send(clientConnection, connection, running, { method, params });
      return resultFor(wire.era, result);
    } catch (error) {
      const asked = addressesAsked(wire.era, error);
      if (asked !== undefined) return asked;
      throw error;
    }
  });
}
