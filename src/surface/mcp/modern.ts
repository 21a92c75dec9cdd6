import type { ServerContext } from '@modelcontextprotocol/server';
import { Server } from '@modelcontextprotocol/server';
import type { Exchange } from '../../kernel/exchange.ts';
import { RpcError, rpc } from '../../kernel/exchange.ts';
import type { Plain } from '../../kernel/plain.ts';
import { isPlain } from '../../kernel/plain.ts';
import { metaKey } from './era.ts';
import { identity } from './identity.ts';
import { answerRequest } from './mcp.ts';
import type { Served } from './session.ts';
import { createSession } from './session.ts';

/** The SDK's server of the 2026 era: what it does not answer itself comes to us as an exchange. */
export function createModernServer(version: string, load: () => Promise<Served>): Server {
  const { serverInfo, ...rest } = identity(version);
  const server = new Server(serverInfo, rest);
  // Subscriptions of this era are the SDK's own.
  const session = createSession(load, async () => undefined);
  // The SDK brings its own, which would keep the level to itself.
  server.removeRequestHandler('logging/setLevel');
  // The fallback is not bound to the SDK's result schemas: what a tool returns goes out as it is.
  server.fallbackRequestHandler = async ({ method, params }, ctx) => ({
    ...(await answerRequest(session, method, { ...params, ...retryFields(ctx) }, exchangeOf(ctx))),
  });
  return server;
}

function exchangeOf({ mcpReq }: ServerContext): Exchange {
  const envelope: Plain = mcpReq.envelope ?? {};
  const client = envelope[metaKey.clientInfo];
  const capabilities = envelope[metaKey.clientCapabilities];
  return {
    era: 'modern',
    client: {
      name: isPlain(client) && typeof client['name'] === 'string' ? client['name'] : undefined,
      capabilities: isPlain(capabilities) ? capabilities : {},
    },
    // The SDK lifts the envelope out of `_meta`.
    meta: { ...envelope, ...mcpReq._meta },
    signal: mcpReq.signal,
    notify: (method, params) => mcpReq.notify({ method, params }),
    request: () => Promise.reject(new RpcError(rpc.invalidRequest, 'A client of the 2026 era is asked in the answer')),
  };
}

/** The SDK takes these out of a repeated call; what we pass it to must see them. */
function retryFields({ mcpReq }: ServerContext): Plain {
  const responses = mcpReq.inputResponses;
  const state = mcpReq.requestState();
  if (state !== undefined && typeof state !== 'string')
    throw new RpcError(rpc.invalidParams, 'requestState must be a string');
  return {
    ...(responses !== undefined && { inputResponses: responses }),
    ...(state !== undefined && { requestState: state }),
  };
}
