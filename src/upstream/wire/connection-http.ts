import { setTimeout as pause } from 'node:timers/promises';
import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { tooLargeMessage } from '../../kernel/message-size.ts';
import { causes } from './cause.ts';
import { limitResponse, type Refuse } from './limited.ts';
import { type Listener, Lost, type Message, type SendOptions, type Transport, refusalMessage } from './message.ts';

export type HttpKind = 'streamable' | 'sse';

interface SdkTransport {
  start(): Promise<void>;
  send(message: never, options?: object): Promise<void>;
  close(): Promise<void>;
  setProtocolVersion(version: string): void;
  terminateSession?(): Promise<void>;
}

/** How long an upstream may take to hear that its client has gone. */
const farewellMs = 300;

/** A call that is cut off may be resumed by its event id; an upstream that is gone is noticed elsewhere. */
const resume = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 2000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 3,
};

export function httpTransport(
  kind: HttpKind,
  url: string,
  headers: Readonly<Record<string, string>>,
  maxMessageBytes: number,
): Transport {
  let heard: Listener | undefined;
  const refuse: Refuse = (excerpt, half) => {
    const { id, isRequest } = excerpt.identify(half) ?? {};
    if (id === undefined) return false;
    const answer = refusalMessage(id, tooLargeMessage(maxMessageBytes));
    if (isRequest === true) sdk.send(answer as never).catch(() => undefined); // It has gone.
    else heard?.received(answer, undefined);
    return true;
  };
  const options = { requestInit: { headers: { ...headers } }, fetch: fetchUpTo(maxMessageBytes, refuse) };
  const sdk = (
    kind === 'streamable'
      ? new StreamableHTTPClientTransport(new URL(url), { ...options, reconnectionOptions: resume })
      : new SSEClientTransport(new URL(url), options)
  ) as SdkTransport;
  let started = false;
  return {
    hasPerRequestStream: kind === 'streamable',
    listen(listener) {
      heard = listener;
      Object.assign(sdk, {
        onmessage: (message: Message) => listener.received(message, undefined),
        onclose: () => listener.ended(causes.closed),
        onerror(error: Error) {
          if (!started) return;
          // An event source comes back by itself, as a new session that nobody has initialised.
          if (kind === 'sse' && error.name === 'SseError') listener.ended(causes.eventsBroke(error.message));
          else listener.doubted();
        },
      });
    },
    async start() {
      await sdk.start().catch((error: unknown) => {
        sdk.close().catch(() => undefined); // Else its event source goes on trying.
        throw lostBy(error);
      });
      started = true;
    },
    async send(message: Message, given?: SendOptions) {
      await sdk.send(message as never, given).catch((error: unknown) => {
        throw lostBy(error);
      });
    },
    async close() {
      started = false;
      // Else it would keep what it has for this client until it finds out by itself.
      const told = sdk.terminateSession?.().catch(() => undefined); // It has gone, or knows no end.
      await Promise.race([told, pause(farewellMs, undefined, { ref: false })]);
      await sdk.close();
    },
    setProtocolVersion: (version) => sdk.setProtocolVersion(version),
  };
}

/** A signal that lives as long as the connection collects a listener for every request; Node 20 complains about that. */
function fetchOnce(url: string | URL, init?: RequestInit): Promise<Response> {
  return fetch(url, init?.signal ? { ...init, signal: AbortSignal.any([init.signal]) } : init);
}

/** As the SDK writes what we send: a request, or that somebody listens. */
function isAsked({ method = 'GET', body }: RequestInit = {}): boolean {
  return method === 'GET' || (typeof body === 'string' && /^\{"jsonrpc":"2\.0","id":[^,]+,"method":/.test(body));
}

/** An answer that says how long it is need not begin. */
function fetchUpTo(limit: number, refuse: Refuse): typeof fetchOnce {
  return async (url, init) => {
    const response = await fetchOnce(url, init);
    const length = response.headers.get('content-length');
    // What is compressed becomes longer.
    if (length === null || response.headers.has('content-encoding'))
      return limitResponse(response, isAsked(init), limit, refuse);
    if (Number(length) <= limit) return response;
    await response.body?.cancel();
    throw new Lost(tooLargeMessage(limit), true, { final: true });
  };
}

const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Before a body is sent there is a connection; and who answers 404 to a session has not run the request. */
function lostBy(error: unknown): Error {
  if (error instanceof Lost) return error;
  const failure = error as Error & { status?: number; code?: unknown; cause?: { code?: string; message?: string } };
  const status = statusOf(failure);
  if (status !== undefined)
    return new Lost(failure.message, status >= 500 && status !== 503, {
      status,
      final: status === 401 || status === 403,
    });
  const code = failure.cause?.code ?? (typeof failure.code === 'string' ? failure.code : undefined);
  const words = [failure.message, failure.cause?.message].filter((one) => one !== undefined && one !== '');
  const said = words.join(': ');
  return new Lost(said === '' ? String(error) : said, !neverConnected.has(code ?? '') && !/ECONNREFUSED/.test(said));
}

function statusOf({ status, code, message }: { status?: number; code?: unknown; message: string }): number | undefined {
  if (typeof status === 'number') return status;
  const data = /\(HTTP (\d{3})\)/.exec(message)?.[1];
  if (data !== undefined) return Number(data);
  return typeof code === 'number' && code >= 400 && code < 600 ? code : undefined;
}
