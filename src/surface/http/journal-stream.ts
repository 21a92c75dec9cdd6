import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Application } from '../../kernel/application.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Store } from '../../kernel/store/store.ts';
import { memoizeByObject } from '../../base/memoize-by-object.ts';
import type { Incoming } from './incoming.ts';
import { webHeaders } from './web-headers.ts';

const heartbeatMs = 15_000;
/** A client that missed more entries gets a `reset` and reloads its lists, which is cheaper than sending each entry. */
const mostMissed = 5000;

export interface JournalStream {
  readonly app: Application;
  readonly principal: Principal;
  readonly request: Incoming;
  readonly response: ServerResponse;
  /** Whether the caller is still signed in. Asked repeatedly, because a session can be ended elsewhere. */
  stillIn(): Promise<boolean>;
}

/** Sends a project's journal as server-sent events. `ready`: it starts. `reset`: entries may be missing. */
export async function streamJournal(stream: JournalStream): Promise<void> {
  const { app, principal, request, response } = stream;
  const { store, project } = await app.context({ principal });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const id = (seq: number) => `${storeName(store)}-${seq}`;
  const head = await store.head();
  const { from, missed } = findStart(request, storeName(store), head);
  response.writeHead(200, {
    ...webHeaders,
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write(`retry: 1000\n\nid: ${id(from)}\nevent: ${missed ? 'reset' : 'ready'}\ndata: {}\n\n`);
  const heartbeat = setInterval(() => {
    void stream.stillIn().then((isIn) => (isIn ? response.write(': \n\n') : response.end()));
  }, heartbeatMs);
  try {
    for await (const entry of store.follow(from, gone.signal)) {
      if (entry.project !== project.key) continue;
      if (!(await stream.stillIn())) break;
      const { seq, at, actor, subject, kind } = entry;
      if (!response.write(`id: ${id(seq)}\ndata: ${JSON.stringify({ seq, at, actor, subject, kind })}\n\n`))
        await once(response, 'drain', { signal: gone.signal });
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

/** `missed`: earlier entries may be missing. */
function findStart({ headers, url }: Incoming, store: string, head: number) {
  const asked = headers['last-event-id'] ?? new URL(url, 'http://localhost').searchParams.get('after') ?? undefined;
  if (asked === undefined) return { from: head, missed: false };
  const [, name, number] = /^([0-9a-f]+)-(\d+)$/.exec(String(asked)) ?? [];
  const seq = Number(number);
  const isKnown = name === store && seq <= head && head - seq <= mostMissed;
  return isKnown ? { from: seq, missed: false } : { from: head, missed: true };
}

/** A stable name per database. Entry numbers of one database mean nothing in another. */
const storeName = memoizeByObject(({ location }: Store) =>
  createHash('sha256').update(location).digest('hex').slice(0, 12),
);
