import { randomUUID } from 'node:crypto';
import pg from 'pg';

export const CHANNEL = 'sekisho_journal';
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;

/** Hints from NOTIFY. If one is lost, followers find the commit by polling. */
export function createHints(url: string) {
  /** The sender id of this process's notifications. It ignores its own. */
  const self = randomUUID();
  const watchers = new Set<() => void>();
  return {
    self,
    /** Wakes the followers of this process after a commit. Those of other processes are notified by the database. */
    send() {
      for (const hint of watchers) hint();
    },
    watch(hint: () => void) {
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

/** Subscribes to notifications, and reconnects after a lost connection. */
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
      // It must not keep the process alive. The driver's types lack `unref`.
      (client as pg.Client & { unref?(): void }).unref?.();
      await client.query(`listen ${CHANNEL}`);
      wait = FIRST_RETRY_MS;
      // Followers must look for commits from before we listened.
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
