import { apiHeaders } from './client.ts';

/** A journal entry of the stream. It says that something changed, not how. */
export interface Entry {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly subject: string;
  readonly kind: string;
}

export type FeedState = 'connecting' | 'live' | 'reconnecting' | 'signed-out';

export interface FeedListener {
  entries(entries: readonly Entry[]): void;
  /** Called if entries may be missing. */
  reset(): void;
  state(state: FeedState): void;
}

type Message =
  | { readonly is: 'entries'; readonly entries: readonly Entry[]; readonly last: string }
  | { readonly is: 'reset'; readonly last: string }
  | { readonly is: 'state'; readonly state: FeedState }
  | { readonly is: 'hello' };

const delays = [1000, 2000, 5000, 10_000];
const batchMs = 250;

/**
 * Follows the journal of a project. A browser allows six connections per host, so one tab holds the stream and passes entries
 * to the others; when it closes, another tab continues from the same position.
 */
export function openFeed(project: string, listener: FeedListener): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel(`sekisho-feed ${project}`);
  let last = '';
  let leads = false;
  let state: FeedState = 'connecting';
  const take = (message: Message): void => {
    if (message.is === 'hello') {
      if (leads) channel.postMessage({ is: 'state', state } satisfies Message);
      return;
    }
    if (message.is === 'state') {
      state = message.state;
      listener.state(state);
      return;
    }
    last = message.last;
    if (message.is === 'reset') listener.reset();
    else listener.entries(message.entries);
  };
  const tell = (message: Message): void => {
    if (stop.signal.aborted) return;
    channel.postMessage(message);
    take(message);
  };
  channel.addEventListener('message', (event: MessageEvent<Message>) => take(event.data));
  channel.postMessage({ is: 'hello' } satisfies Message);
  navigator.locks
    .request(`sekisho-feed ${project}`, { signal: stop.signal }, async () => {
      leads = true;
      await lead(project, () => last, tell, stop.signal);
    })
    .catch(() => undefined); // The feed was closed before it became the leader.
  return () => {
    stop.abort();
    channel.close();
  };
}

/** Reads the stream, and reconnects until the tab closes. */
async function lead(
  project: string,
  last: () => string,
  tell: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const response = await fetch(`/api/stream?project=${encodeURIComponent(project)}`, {
        headers: { ...apiHeaders(), ...(last() !== '' && { 'Last-Event-ID': last() }) },
        signal,
      });
      if (response.status === 401) {
        tell({ is: 'state', state: 'signed-out' });
        return;
      }
      if (response.ok && response.body !== null) {
        tell({ is: 'state', state: 'live' });
        failures = 0;
        await read(response.body, tell);
      }
    } catch {
      // The connection was lost: retry below.
    }
    if (signal.aborted) return;
    tell({ is: 'state', state: 'reconnecting' });
    await new Promise((resolve) => setTimeout(resolve, delays[Math.min(failures, delays.length - 1)]));
  }
}

async function read(body: ReadableStream<Uint8Array>, tell: (message: Message) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  let pending: Entry[] = [];
  let last = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    const entries = pending;
    pending = [];
    if (entries.length > 0) tell({ is: 'entries', entries, last });
  };
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const { id, event, data } = fieldsOf(part);
        if (id !== undefined) last = id;
        if (event === 'reset') tell({ is: 'reset', last });
        else if (event === undefined && data !== undefined) pending.push(JSON.parse(data) as Entry);
      }
      if (pending.length > 0) timer ??= setTimeout(flush, batchMs);
    }
  } finally {
    clearTimeout(timer);
    flush();
  }
}

function fieldsOf(part: string): { readonly [name in 'id' | 'event' | 'data']?: string } {
  return Object.fromEntries(
    part.split('\n').flatMap((line) => {
      const at = line.indexOf(': ');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 2)]] : [];
    }),
  );
}
