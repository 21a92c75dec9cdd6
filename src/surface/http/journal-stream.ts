import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Application } from '../../kernel/application.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Recorded, Store } from '../../kernel/store/store.ts';
import { memoizeByObject } from '../../base/memoize-by-object.ts';
import type { Incoming } from './incoming.ts';
import { webHeaders } from './web-headers.ts';

const beatMs = 15_000;
/** Whoever missed more reads its lists anew: that is less than being told of each change. */
const mostMissed = 5000;

export interface JournalStream {
  readonly app: Application;
  readonly principal: Principal;
  readonly request: Incoming;
  readonly response: ServerResponse;
  /** Does whoever opened it still have the right to? Asked now and then: a session can be ended elsewhere. */
  stillIn(): Promise<boolean>;
}

/**
 * The journal of one project as server-sent events, each with the id to come back with (`Last-Event-ID`): the store and the
 * number. They say what changed, not how. `ready` tells where it begins, `reset` that nobody can say what was missed.
 */
export async function streamJournal(stream: JournalStream): Promise<void> {
  const { app, principal, request, response } = stream;
  const { store, project } = await app.context({ principal });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const id = (seq: number) => `${storeName(store)}-${seq}`;
  const head = await store.head();
  const { from, missed } = beginning(request, storeName(store), head);
  response.writeHead(200, {
    ...webHeaders,
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write(`retry: 1000\n\nid: ${id(from)}\nevent: ${missed ? 'reset' : 'ready'}\ndata: {}\n\n`);
  const beat = setInterval(() => {
    void stream.stillIn().then((isIn) => (isIn ? response.write(': \n\n') : response.end()));
  }, beatMs);
  try {
    for await (const entry of store.follow(from, gone.signal)) {
      if (entry.project !== project.key) continue;
      if (!(await stream.stillIn())) break;
      if (!response.write(`id: ${id(entry.seq)}\ndata: ${JSON.stringify(told(entry))}\n\n`))
        await once(response, 'drain', { signal: gone.signal });
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    clearInterval(beat);
    response.end();
  }
}

function told({ seq, at, actor, subject, kind }: Recorded): object {
  return { seq, at, actor, subject, kind };
}

interface Beginning {
  readonly from: number;
  /** Something before it was not told. */
  readonly missed: boolean;
}

function beginning({ headers, url }: Incoming, store: string, head: number): Beginning {
  const asked = headers['last-event-id'] ?? new URL(url, 'http://localhost').searchParams.get('after') ?? undefined;
  if (asked === undefined) return { from: head, missed: false };
  const [, name, number] = /^([0-9a-f]+)-(\d+)$/.exec(String(asked)) ?? [];
  const seq = Number(number);
  const isKnown = name === store && seq <= head && head - seq <= mostMissed;
  return isKnown ? { from: seq, missed: false } : { from: head, missed: true };
}

/** The same for every process and every start, and another one for another database: numbers of one mean nothing there. */
const storeName = memoizeByObject(({ location }: Store) =>
  createHash('sha256').update(location).digest('hex').slice(0, 12),
);
