import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerContext } from '@modelcontextprotocol/server';
import { sendJson } from './body.ts';
import type { PlainRequest } from '../mcp/plain.ts';
import { messageOf } from '../mcp/plain.ts';
import type { Session } from '../mcp/session.ts';
import { answerRequest } from '../mcp/mcp.ts';

/** A call that takes longer than this gets the stream that the SDK would have opened at once. */
const promptMs = 100;
const knownVersions = [undefined, '2025-11-25', '2025-06-18', '2025-03-26'];
const wanted = ['application/json', 'text/event-stream'];

/** The headers of a request that any JSON-RPC answer fits. */
export function hasPlainHeaders({ headers }: IncomingMessage): boolean {
  const { accept = '', 'content-type': type = '', 'mcp-protocol-version': version } = headers;
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
    // Nobody is there any more to hand over to: what waits for the other side must not wait for ever.
    if (response.destroyed) stop.abort(new Error('the client has gone'));
    if (stop.signal.aborted && handing === undefined) return Promise.reject(new Error('the client has gone'));
    handing ??= over ? Promise.resolve() : handOver();
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
  const message = await messageOf(id, result);
  over = true;
  clearTimeout(timer);
  if (handing === undefined) {
    session.running.delete(id);
    // A request that its client cancelled gets no answer; its connection need not stay.
    if (stop.signal.aborted) response.writeHead(202).end();
    else sendJson(response, 200, message);
    return;
  }
  try {
    await handing;
  } finally {
    session.running.delete(id);
  }
}
