import { Server, type ServerContext } from '@modelcontextprotocol/server';
import { type Client, type Exchange, RpcError, rpc } from '../../kernel/exchange.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { metaKey } from './era.ts';
import { describeServer } from './identity.ts';
import { answerRequest } from './mcp.ts';
import { type Served, createSession } from './session.ts';

/** The SDK's server of the 2026 era: what it does not answer itself comes to us as an exchange. */
export async function createModernServer(version: string, load: () => Promise<Served>): Promise<Server> {
  // What is said at the start of this era must not vary with the client's name.
  const { serverInfo, ...rest } = await describeServer(version, load, 'modern', undefined);
  const server = new Server(serverInfo, rest);
  // Subscriptions of this era are the SDK's own.
  const session = createSession(load, async () => undefined);
  // The SDK brings its own, which would keep the level to itself.
  server.removeRequestHandler('logging/setLevel');
  // The fallback is not bound to the SDK's result schemas: what a tool returns goes out as it is.
  server.fallbackRequestHandler = async ({ method, params }, ctx) => {
    const answer = answerRequest(session, method, { ...params, ...retryFields(ctx) }, exchangeOf(ctx));
    return { ...(await answer.catch(inThisEra)) };
  };
  return server;
}

/** A 2025-era upstream says "resource not found" by a code that this era does not know. */
function inThisEra(error: unknown): never {
  const { code, message, data } = error as Partial<RpcError>;
  throw code === rpc.resourceNotFound ? new RpcError(rpc.invalidParams, message ?? '', data) : error;
}

/**
 * Subscriptions of this era are the SDK's own, and so nobody behind us would hear of them. What it asks to be told of
 * resources is passed on here; an upstream keeps it as long as its connection lives.
 */
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
    // The SDK lifts the envelope out of `_meta`.
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
  return Promise.reject(new RpcError(rpc.invalidRequest, 'A client of the 2026 era is asked in the answer'));
}

/** The SDK takes these out of a repeated call; what we pass it to must see them. */
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
