import type { JsonObject } from '../../base/json-object.ts';
import type { Wire } from '../../kernel/relay.ts';
import { UpstreamError } from '../wire/message.ts';
import { addressesAsked, resultFor } from './mapping.ts';
import type { OpenUpstream } from './offers.ts';
import { sendRequest } from './send.ts';

export type RelayAnswer = (params: JsonObject, wire: Wire) => Promise<JsonObject | undefined>;

/** Sends a request other than a tool call, once, on a live connection. */
export function askUpstream(
  { clientConnection, connection }: OpenUpstream,
  method: string,
  params: JsonObject,
  wire: Wire,
): Promise<JsonObject> {
  const resumed = clientConnection.calls.resume(wire, params);
  if (resumed !== undefined) return resumed;
  return clientConnection.calls.run(wire, async (running) => {
    try {
      const { result } = await sendRequest(clientConnection, connection, running, { method, params });
      return resultFor(wire.era, result);
    } catch (error) {
      const asked = addressesAsked(wire.era, error);
      if (asked !== undefined) return asked;
      throw error;
    }
  });
}

/** Asks each upstream until one answers. If all refuse, the first refusal is reported: it comes from the likeliest owner. */
export async function askEach(
  owners: readonly OpenUpstream[],
  method: string,
  params: JsonObject,
  wire: Wire,
): Promise<JsonObject | undefined> {
  let refused: UpstreamError | undefined;
  for (const open of owners) {
    try {
      return await askUpstream(open, method, params, wire);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      refused ??= error;
    }
  }
  if (refused !== undefined) throw refused;
  return undefined;
}
