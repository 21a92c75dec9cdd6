import type { ServerResponse, IncomingMessage } from 'node:http';
import { InMemoryServerEventBus, createMcpHandler } from '@modelcontextprotocol/server';
import type { Log } from '../../kernel/context.ts';
import { isJsonObject } from '../../base/json-object.ts';
import type { Changes } from '../mcp/changes.ts';
import { isServed } from '../mcp/mcp.ts';
import { createModernServer, passSubscriptions } from '../mcp/modern.ts';
import { callHeaderFault } from '../mcp/param-headers.ts';
import type { Served } from '../mcp/session.ts';
import { sendError, sendText } from './body.ts';
import type { Incoming, Sender } from './incoming.ts';
import { once } from 'node:events';

const headerMismatch = -32020;
const checkMs = 15_000;

/** The data that a request passes to the SDK server created for it. */
type RequestExtra = { readonly load: () => Promise<Served>; readonly method: string };

export interface ModernHttp {
  handle(
    request: Incoming,
    response: ServerResponse,
    body: unknown,
    sender: Sender,
    load: () => Promise<Served>,
  ): Promise<void>;
  tell(changes: Changes): Promise<void>;
  close(): Promise<void>;
}

/** Serves 2026-era clients over HTTP, with the SDK. */
export function createModernHttp(version: string, log: Log): ModernHttp {
  const bus = new InMemoryServerEventBus();
  /** One check per unfinished answer: it ends the answer if its token has been revoked. */
  const checks = new Set<() => Promise<void>>();
  const handler = createMcpHandler(
    async ({ authInfo }) => {
      if (authInfo?.extra === undefined) throw new Error('the request was not admitted');
      const { load, method } = authInfo.extra as RequestExtra;
      const server = await createModernServer(version, load);
      // The protocol wants 404 for an unknown method, and the SDK sends it only without a fallback handler.
      if (!isServed(method)) delete server.fallbackRequestHandler;
      return server;
    },
    { legacy: 'reject', bus, onerror: (error) => log.debug('mcp', { reason: error.message }) },
  );
  return {
    async handle(request, response, body, { principal, stillIn }, load) {
      const { id, method, params } = isJsonObject(body) ? body : {};
      if (method === 'tools/call' && isJsonObject(params) && isJsonObject(params['_meta'])) {
        const headerOf = (name: string) => request.headers[name.toLowerCase()]?.toString();
        const fault = await callHeaderFault(load, params, headerOf);
        if (fault !== undefined) return sendError(response, 400, headerMismatch, fault, id as string);
      }
      if (method === 'subscriptions/listen')
        await passSubscriptions(load, params).catch((error: unknown) => log.warn('mcp', { reason: String(error) }));
      const extra: RequestExtra = { load, method: String(method) };
      const authInfo = { token: '', clientId: principal.identity, scopes: [], extra };
      const gone = new AbortController();
      const endIfRevoked = async () => {
        if (!response.headersSent || response.writableEnded || (await stillIn())) return;
        gone.abort();
        response.end();
      };
      const timer = setInterval(() => void endIfRevoked(), checkMs).unref();
      checks.add(endIfRevoked);
      response.once('close', () => {
        clearInterval(timer);
        checks.delete(endIfRevoked);
        gone.abort();
      });
      const web = webRequest(request, gone.signal);
      await sendWebAnswer(await handler.fetch(web, { authInfo, parsedBody: body }), response, gone.signal);
    },
    async tell({ uris, lists }) {
      await Promise.all([...checks].map((check) => check()));
      for (const uri of uris) bus.publish({ kind: 'resource_updated', uri });
      for (const list of lists) bus.publish({ kind: `${list}_list_changed` });
    },
    close: () => handler.close(),
  };
}

/** Converts a request for the SDK, without its body: we parsed it already, and the SDK's own adapter would serialize it again. */
function webRequest({ headers, method, url }: IncomingMessage, signal: AbortSignal): Request {
  const all = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(`http://${headers.host ?? 'localhost'}${url ?? '/'}`, {
    method: method ?? 'GET',
    headers: all,
    signal,
  });
}

async function sendWebAnswer(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  if (answer.body === null) return void response.writeHead(answer.status, headers).end();
  if (!isStream) return sendText(response, answer.status, headers, await answer.text());
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  for await (const chunk of answer.body) {
    if (signal.aborted) break;
    if (!response.write(chunk)) await once(response, 'drain', { signal }).catch(() => undefined); // The client has gone.
  }
  response.end();
}
