import { Server, type ServerContext } from '@modelcontextprotocol/server';
import { type Client, type Exchange, RpcError, rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { metaKey } from './era.ts';
import { describeServer } from './identity.ts';
import { answerRequest } from './mcp.ts';
import { type Served, createSession } from './session.ts';

/** Creates the SDK's server for the 2026 era. Requests that it does not answer itself go to `answerRequest`. */
export async function createModernServer(version: string, load: () => Promise<Served>): Promise<Server> {
  // In this era the description must not depend on the client's name.
  const { serverInfo, ...rest } = await describeServer(version, load, 'modern', undefined);
  const server = new Server(serverInfo, rest);
  // The SDK handles the subscriptions of this era, so the session watches nothing.
  const session = createSession(load, async () => undefined);
  // The SDK's own handler would not tell us the level.
  server.removeRequestHandler('logging/setLevel');
  // The SDK does not validate the results of the fallback, so a tool's result is sent unchanged.
  server.fallbackRequestHandler = async ({ method, params }, ctx) => {
    const answer = answerRequest(session, method, { ...params, ...retryFields(ctx) }, exchangeOf(ctx));
    return { ...(await answer.catch(rethrowForEra)) };
  };
  return server;
}

/** Rethrows an error. "Resource not found" of a 2025-era upstream gets another code, because this era does not have that one. */
function rethrowForEra(error: unknown): never {
  const { code, message, data } = error as Partial<RpcError>;
  throw code === rpc.resourceNotFound ? new RpcError(rpc.invalidParams, message ?? '', data) : error;
}

/** Passes resource subscriptions on: the SDK handles those of this era, so the upstreams would not learn of them. */
export async function passSubscriptions(load: () => Promise<Served>, params: unknown): Promise<void> {
  const { notifications, _meta: envelope } = isJsonObject(params) ? params : {};
  const uris = isJsonObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris) || !isJsonObject(envelope)) return;
  const session = createSession(load, async () => undefined);
  const exchange: Exchange = {
    era: 'modern',
    client: clientIn(envelope),
    meta: envelope,
    signal: new AbortController().signal,
    notify: async () => undefined,
    request: refuseToAsk,
  };
  for (const uri of uris) await answerRequest(session, 'resources/subscribe', { uri }, exchange);
}

function exchangeOf({ mcpReq }: ServerContext): Exchange {
  const envelope: JsonObject = mcpReq.envelope ?? {};
  return {
    era: 'modern',
    client: clientIn(envelope),
    // The SDK removes the envelope from `_meta`.
    meta: { ...envelope, ...mcpReq._meta },
    signal: mcpReq.signal,
    notify: (method, params) => mcpReq.notify({ method, params }),
    request: refuseToAsk,
  };
}

function clientIn(envelope: JsonObject): Client {
  const client = envelope[metaKey.clientInfo];
  const capabilities = envelope[metaKey.clientCapabilities];
  return {
    name: isJsonObject(client) && typeof client['name'] === 'string' ? client['name'] : undefined,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  };
}

function refuseToAsk(): Promise<never> {
  return Promise.reject(
    new RpcError(rpc.invalidRequest, 'A 2026-era client is asked for input in the answer, not by a request'),
  );
}

/** The fields that the SDK removes from a repeated call. Upstreams need them. */
function retryFields({ mcpReq }: ServerContext): JsonObject {
  const responses = mcpReq.inputResponses;
  const state = mcpReq.requestState();
  if (state !== undefined && typeof state !== 'string')
    throw new RpcError(rpc.invalidParams, 'requestState must be a string');
  return {
    ...(responses !== undefined && { inputResponses: responses }),
    ...(state !== undefined && { requestState: state }),
  };
}
