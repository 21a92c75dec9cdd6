import { causes } from './cause.ts';
import { type ChildOptions, ChildTransport } from './child.ts';
import type { HttpKind } from './connection-http.ts';
import { type Greeting, type Introduction, discover, initialize } from './handshake.ts';
import { Lost, UpstreamError } from './message.ts';
import { Peer } from './peer.ts';
import type { UpstreamSettings } from '../settings.ts';

/** A live connection to one upstream, after the handshake. */
export interface Connection {
  readonly peer: Peer;
  readonly greeting: Greeting;
  readonly via: 'stdio' | HttpKind;
}

type ConnectOptions = Omit<ChildOptions, 'command'> & Omit<Introduction, 'timeoutMs'>;

/** `npx` may have to download a package first. */
const stdioTimeoutMs = 60_000;
const httpTimeoutMs = 15_000;

export async function connect(settings: UpstreamSettings, options: ConnectOptions): Promise<Connection> {
  return settings.url === undefined ? overStdio(settings, options) : overHttp(settings, settings.url, options);
}

/** Connects over stdio with the 2025 era; if the server answers with an error, with the 2026 era on the same process. */
async function overStdio(settings: UpstreamSettings, options: ConnectOptions): Promise<Connection> {
  const env = { ...options.env, ...settings.env };
  const peer = new Peer(new ChildTransport({ ...options, command: settings.command ?? [], env }));
  const introduction: Introduction = { ...options, timeoutMs: stdioTimeoutMs };
  return guarded(peer, async () => {
    await peer.transport.start();
    const greeting = await initialize(peer, introduction).catch((error: unknown) => {
      if (error instanceof UpstreamError) return discover(peer, introduction);
      throw error;
    });
    return { peer, greeting, via: 'stdio' as const };
  });
}

/** Connects over HTTP: Streamable HTTP of the 2025 era, then of the 2026 era, then HTTP with SSE from before 2025. */
async function overHttp(settings: UpstreamSettings, url: string, options: ConnectOptions): Promise<Connection> {
  // The SDK's client is expensive to load, and many processes never need it.
  const { httpTransport } = await import('./connection-http.ts');
  const introduction: Introduction = { ...options, timeoutMs: httpTimeoutMs };
  const attempt = (via: HttpKind, greet: typeof initialize) => {
    const peer = new Peer(httpTransport(via, url, settings.headers, options.maxMessageBytes));
    return guarded(peer, async () => {
      await within(peer.transport.start(), introduction);
      return { peer, greeting: await greet(peer, introduction), via };
    });
  };
  const first = await attempt('streamable', initialize).catch(refusal);
  if (!('refused' in first)) return first;
  // If the URL does not accept POST, it cannot be the 2026 era.
  if (first.refused instanceof UpstreamError || ![404, 405].includes(first.refused.status ?? 0)) {
    const second = await attempt('streamable', discover).catch(refusal);
    if (!('refused' in second)) return second;
  }
  return attempt('sse', initialize).catch((error: unknown) => {
    // The error of Streamable HTTP says more than the lack of an event stream.
    throw error instanceof Lost && error.status !== undefined ? first.refused : error;
  });
}

/** Returns a refusal, after which the next protocol is tried; throws any other error. */
function refusal(error: unknown): { refused: Lost | UpstreamError } {
  if (error instanceof UpstreamError) return { refused: error };
  if (error instanceof Lost && error.status !== undefined && error.status < 500 && !error.final)
    return { refused: error };
  throw error;
}

async function guarded<T>(peer: Peer, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await peer.close(causes.unestablished).catch(() => undefined); // The connection was never established.
    throw error;
  }
}

function within(work: Promise<void>, { timeoutMs, signal }: Introduction): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Lost(causes.silent(undefined, timeoutMs), false)), timeoutMs);
    signal.addEventListener('abort', () => reject(new Lost(causes.closed, false)), { once: true });
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
