import { randomUUID } from 'node:crypto';
import pg from 'pg';

export const CHANNEL = 'sekisho_journal';
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;
/**
 * For so long one notification does for all commits of a process: each is made while everybody else's commits wait, and wakes
 * every follower. Whoever commits after that takes the next one along; where nobody does, it goes by itself.
 */
const QUIET_MS = 20;
const BY_ITSELF_MS = 35;

export interface Hints {
  /** Before a commit: what others are to be notified with together with it; null where they are told soon after. */
  sender(): string | null;
  /** After a commit: wakes followers here. Those elsewhere hear it from the database. */
  send(seq: number, sender: string | null): void;
  watch(hint: () => void): () => void;
  /** What nobody was told yet is told. */
  close(): Promise<void>;
}

/** Only hints: where NOTIFY is missing or lost, followers poll. `notify` is asked to send one by itself. */
export function createHints(url: string, notify: (channel: string, sender: string) => Promise<unknown>): Hints {
  // What comes back here need not be heard: followers here are told at once.
  const self = randomUUID();
  const watchers = new Set<() => void>();
  let told = Number.NEGATIVE_INFINITY;
  let untold: { readonly timer: NodeJS.Timeout; seq: number } | undefined;

  async function tell(): Promise<void> {
    if (untold === undefined) return;
    clearTimeout(untold.timer);
    untold = undefined;
    told = performance.now();
    await notify(CHANNEL, self).catch(() => undefined);
  }

  return {
    sender() {
      const now = performance.now();
      if (now - told < QUIET_MS) return null;
      told = now;
      return self;
    },
    send(seq, sender) {
      for (const hint of watchers) hint();
      if (sender === null) {
        untold ??= { timer: setTimeout(() => void tell(), BY_ITSELF_MS).unref(), seq };
        untold.seq = Math.max(untold.seq, seq);
      } else if (untold !== undefined && untold.seq < seq) {
        // Answers may come in another order than the commits were made.
        clearTimeout(untold.timer);
        untold = undefined;
      }
    },
    close: tell,
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
