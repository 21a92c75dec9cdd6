import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerContext } from '@modelcontextprotocol/server';
import { PROTOCOL_VERSION_META_KEY, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Plain } from '../kernel/relay.ts';
import { sendJson } from './http-body.ts';
import type { Session } from './mcp-session.ts';
import { answerRequest, isServed } from './mcp.ts';

export interface PlainRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: Plain;
}

/** A call that takes longer than this gets the stream that the SDK would have opened at once. */
const promptMs = 100;
const knownVersions = [undefined, '2025-11-25', '2025-06-18', '2025-03-26'];
const wanted = ['application/json', 'text/event-stream'];

/**
 * Whether a message is a plain 2025-era request of ours that may be answered without the SDK's transport. Whatever is
 * unusual about it is left to the SDK, which knows every rule.
 */
export function isPlainRequest(request: IncomingMessage, body: unknown): body is PlainRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const { jsonrpc, id, method, params } = body as Plain;
  if (jsonrpc !== '2.0' || (typeof id !== 'string' && typeof id !== 'number')) return false;
  // The SDK rewrites lists of tools for the 2025 era.
  if (typeof method !== 'string' || method === 'tools/list' || !isServed(method)) return false;
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) return false;
  const meta = (params as Plain | undefined)?.['_meta'];
  if (meta !== undefined && (typeof meta !== 'object' || meta === null || PROTOCOL_VERSION_META_KEY in meta))
    return false;
  const { accept = '', 'content-type': type = '', 'mcp-protocol-version': version } = request.headers;
  return (
    wanted.every((one) => accept.includes(one)) &&
    type.startsWith('application/json') &&
    knownVersions.includes(version?.toString())
  );
}

/**
 * Answers with plain JSON, which takes a fraction of what the SDK's transport does. A request that turns out to need
 * more (it is slow, reports progress, asks its client something) is handed to that transport while it runs: `handOver`
 * makes the SDK dispatch it a second time, and the session then joins the run that has begun instead of starting one.
 */
export async function answerPlainly(
  session: Session,
  request: PlainRequest,
  response: ServerResponse,
  handOver: () => Promise<void>,
  detachable: boolean,
): Promise<void> {
  const { id, method, params } = request;
  const stop = new AbortController();
  let given: (ctx: ServerContext) => void = () => undefined;
  const real = new Promise<ServerContext>((resolve) => (given = resolve));
  let handing: Promise<void> | undefined;
  let over = false;
  const hand = (): Promise<ServerContext> => {
    handing ??= over || response.destroyed ? Promise.resolve() : handOver();
    handing.catch(() => undefined); // Awaited below.
    return real;
  };
  const ctx = {
    sessionId: session.id,
    mcpReq: {
      id,
      method,
      _meta: params?.['_meta'],
      signal: stop.signal,
      requestState: () => undefined,
      notify: async (...args: Parameters<ServerContext['mcpReq']['notify']>) => (await hand()).mcpReq.notify(...args),
      send: async (...args: Parameters<ServerContext['mcpReq']['send']>) => (await hand()).mcpReq.send(...args),
    },
    ...(detachable && { http: { closeSSE: () => void hand().then((one) => one.http?.closeSSE?.()) } }),
  } as unknown as ServerContext;
  const result = answerRequest(session, request, ctx);
  const timer = setTimeout(() => void hand(), promptMs);
  session.running.set(id, {
    cancel: (reason) => stop.abort(reason),
    join(joined) {
      joined.mcpReq.signal.addEventListener('abort', () => stop.abort(joined.mcpReq.signal.reason), { once: true });
      given(joined);
      return result;
    },
  });
  const message = await result.then(
    (value) => ({ jsonrpc: '2.0', id, result: value }),
    (error: unknown) => ({ jsonrpc: '2.0', id, error: errorOf(error) }),
  );
  over = true;
  clearTimeout(timer);
  if (handing === undefined) {
    session.running.delete(id);
    // A request that its client cancelled gets no answer; its connection need not stay.
    if (stop.signal.aborted) response.writeHead(202).end();
    else sendJson(response, 200, message);
    return;
  }
  await handing;
  session.running.delete(id);
}

function errorOf(error: unknown): Plain {
  const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown };
  const known = Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError;
  return {
    // As the SDK does on its own way out.
    code: known === -32_002 ? ProtocolErrorCode.InvalidParams : known,
    message: message ?? 'Internal error',
    ...(data !== undefined && { data }),
  };
}
