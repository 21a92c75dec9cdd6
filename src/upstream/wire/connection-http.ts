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

/** The time for telling an upstream that its client disconnects. */
const farewellMs = 300;

/** Reconnection of a single response stream, which resumes by event id. A lost upstream is detected elsewhere. */
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
  let receiver: Listener | undefined;
  const refuse: Refuse = (excerpt, half) => {
    const { id, isRequest } = excerpt.identify(half) ?? {};
    if (id === undefined) return false;
    const answer = refusalMessage(id, tooLargeMessage(maxMessageBytes));
    if (isRequest === true) sdk.send(answer as never).catch(() => undefined); // The upstream has disconnected.
    else receiver?.received(answer, undefined);
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
      receiver = listener;
      Object.assign(sdk, {
        onmessage: (message: Message) => listener.received(message, undefined),
        onclose: () => listener.ended(causes.closed),
        onerror(error: Error) {
          if (!started) return;
          // An event source reconnects by itself, but as a new session without `initialize`.
          if (kind === 'sse' && error.name === 'SseError') listener.ended(causes.eventsBroke(error.message));
          else listener.doubted();
        },
      });
    },
    async start() {
      await sdk.start().catch((error: unknown) => {
        sdk.close().catch(() => undefined); // Otherwise its event source keeps retrying.
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
      // Otherwise the upstream keeps this client's session until it times out.
      const termination = sdk.terminateSession?.().catch(() => undefined); // It has disconnected, or cannot end sessions.
      await Promise.race([termination, pause(farewellMs, undefined, { ref: false })]);
      await sdk.close();
    },
    setProtocolVersion: (version) => sdk.setProtocolVersion(version),
  };
}

/** Fetches with a signal of its own: Node 20 warns if the connection's signal collects a listener per request. */
function fetchOnce(url: string | URL, init?: RequestInit): Promise<Response> {
  return fetch(url, init?.signal ? { ...init, signal: AbortSignal.any([init.signal]) } : init);
}

/** Whether the SDK sends a request or opens a listening stream, recognized by the SDK's own format. */
function isAsked({ method = 'GET', body }: RequestInit = {}): boolean {
  return method === 'GET' || (typeof body === 'string' && /^\{"jsonrpc":"2\.0","id":[^,]+,"method":/.test(body));
}

/** Fetches with a size limit. A response whose declared length is too large is not read. */
function fetchUpTo(limit: number, refuse: Refuse): typeof fetchOnce {
  return async (url, init) => {
    const response = await fetchOnce(url, init);
    const length = response.headers.get('content-length');
    // Compressed content becomes longer.
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

/** Converts an error to `Lost`. After a failure to connect nothing was sent; after a 404 the request did not run. */
function lostBy(error: unknown): Error {
  if (error instanceof Lost) return error;
  const failure = error as Error & { status?: number; code?: unknown; cause?: { code?: string; message?: string } };
  const status = statusOf(failure);
  if (status !== undefined)
    return new Lost(failure.message, status >= 500 && status !== 503, { status, final: [401, 403].includes(status) });
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
