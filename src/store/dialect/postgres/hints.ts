import { randomUUID } from 'node:crypto';
import pg from 'pg';

export const CHANNEL = 'sekisho_journal';
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;

export interface Hints {
  /** Whose commits need not be told here: what they notify others with. */
  readonly self: string;
  /** After a commit: wakes followers here. Those elsewhere hear it from the database. */
  send(): void;
  watch(hint: () => void): () => void;
}

/** Only hints: where NOTIFY is missing or lost, followers poll. */
export function createHints(url: string): Hints {
  const self = randomUUID();
  const watchers = new Set<() => void>();
  return {
    self,
    send() {
      for (const hint of watchers) hint();
    },
    watch(hint) {
      watchers.add(hint);
      const stop = listen(url, (sender) => {
        if (sender !== self) hint();
      });
      return () => {
        watchers.delete(hint);
        stop();
      };
    },
  };
}

/** Stays subscribed, over as many connections as it takes. */
function listen(url: string, heard: (sender: string | undefined) => void): () => void {
  let stopped = false;
  let wait = FIRST_RETRY_MS;
  let current: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  function reconnect(lost: pg.Client): void {
    if (stopped || current !== lost) return;
    current = undefined;
    lost.end().catch(() => {});
    timer = setTimeout(() => void subscribe(), wait).unref();
    wait = Math.min(wait * 2, LONGEST_RETRY_MS);
  }

  async function subscribe(): Promise<void> {
    const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: LONGEST_RETRY_MS });
    current = client;
    client.on('error', () => reconnect(client));
    client.on('end', () => reconnect(client));
    client.on('notification', ({ payload }) => heard(payload));
    try {
      await client.connect();
      keepsNothingAlive(client);
      await client.query(`listen ${CHANNEL}`);
      wait = FIRST_RETRY_MS;
      // What was committed before we listened.
      heard(undefined);
    } catch {
      reconnect(client);
    }
    if (stopped) client.end().catch(() => {});
  }

  void subscribe();
  return () => {
    stopped = true;
    clearTimeout(timer);
    current?.end().catch(() => {});
  };
}

/** The driver has it, its types do not. */
function keepsNothingAlive(client: pg.Client & { unref?(): void }): void {
  client.unref?.();
}
