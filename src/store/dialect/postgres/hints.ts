import { randomUUID } from 'node:crypto';
import pg from 'pg';

const CHANNEL = 'sekisho_journal';
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;

export interface Hints {
  /** After a commit: wakes followers here, and elsewhere by NOTIFY, which nobody waits for. */
  send(): void;
  watch(hint: () => void): () => void;
  close(): Promise<void>;
}

/** Only hints: where NOTIFY is missing or lost, followers poll. */
export function createHints(pool: pg.Pool, url: string): Hints {
  const self = randomUUID();
  const watchers = new Set<() => void>();
  let sending: Promise<unknown> | undefined;
  let again = false;

  function notify(): void {
    // NOTIFY takes a lock of the whole database: commits that come while one is under way share the next.
    if (sending) {
      again = true;
      return;
    }
    again = false;
    sending = pool
      // A hint that is lost in a crash is missed by nobody: it need not wait for the disk.
      .query({
        name: 'sekisho_hint',
        text: `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`,
        values: [CHANNEL, self],
      })
      .catch(() => {})
      .then(() => {
        sending = undefined;
        if (again) notify();
      });
  }

  return {
    send() {
      for (const hint of watchers) hint();
      notify();
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
    async close() {
      while (sending) await sending;
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
