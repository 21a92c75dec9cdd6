import type { Context, Progress } from './context.ts';

const progressMs = 10_000;

interface Wait<T> {
  /** Journal entries of these wake it, whichever process wrote them. */
  readonly subjects: readonly string[];
  readonly timeoutMs: number;
  /** Looks again after this time, also where nothing was written. */
  readonly lookMs?: number;
  look(): Promise<T>;
  isEnough(found: T): boolean;
  /** What the client is told every ten seconds. `share`: of the time, how much is over. */
  progress(found: T, share: number): Progress;
}

/** Looks until what is found is enough or the time is over. A client that cancels ends the wait. */
export async function waitUntil<T>(context: Context, wait: Wait<T>): Promise<{ found: T; enough: boolean }> {
  const { subjects, timeoutMs, lookMs = timeoutMs } = wait;
  const started = performance.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, context.signal]);
  const from = await context.store.head();
  const bell = createBell(signal);
  void (async () => {
    for await (const { subject } of context.store.follow(from, signal)) if (subjects.includes(subject)) bell.ring();
  })().catch((error: unknown) => context.log.warn('wait: the feed ended', { reason: String(error) }));
  let told = started;
  try {
    for (;;) {
      bell.forget();
      const found = await wait.look();
      const now = performance.now();
      const enough = wait.isEnough(found);
      if (enough || now - started >= timeoutMs || signal.aborted) return { found, enough };
      if (now - told >= progressMs) {
        told = now;
        context.progress(wait.progress(found, (now - started) / (timeoutMs + 1)));
      }
      const rest = Math.min(lookMs, timeoutMs - (now - started), progressMs - (now - told));
      await bell.wait(Math.max(1, rest));
    }
  } finally {
    stop.abort();
  }
}

/** Something to sleep on. One listener for the whole wait: it may ring many times a second. */
function createBell(signal: AbortSignal) {
  let rang = false;
  let wake = () => {};
  const ring = () => {
    rang = true;
    wake();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    /** What rings from here on counts. */
    forget(): void {
      rang = signal.aborted;
    },
    async wait(ms: number): Promise<void> {
      if (rang) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    },
  };
}
