import type { Context, Progress } from './context.ts';

const progressMs = 10_000;

interface Wait<T> {
  /** Journal entries on these subjects, of any process, wake it. */
  readonly subjects: readonly string[];
  readonly timeoutMs: number;
  /** Looks again after this time, even if nothing was written. */
  readonly lookMs?: number;
  look(): Promise<T>;
  isEnough(found: T): boolean;
  /** The progress that the client gets every ten seconds. `share`: the part of the time that has passed. */
  progress(found: T, share: number): Progress;
}

/** Looks until `isEnough` or until the time is over. A client that cancels ends the wait. */
export async function waitUntil<T>(context: Context, wait: Wait<T>): Promise<{ found: T; enough: boolean }> {
  const { subjects, timeoutMs, lookMs = timeoutMs } = wait;
  const started = performance.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, context.signal]);
  const from = await context.store.head();
  const wakeUp = createWakeUp(signal);
  void (async () => {
    for await (const { subject } of context.store.follow(from, signal)) if (subjects.includes(subject)) wakeUp.fire();
  })().catch((error: unknown) => context.log.warn('wait: the feed ended', { reason: String(error) }));
  let reported = started;
  try {
    for (;;) {
      wakeUp.reset();
      const found = await wait.look();
      const now = performance.now();
      const enough = wait.isEnough(found);
      if (enough || now - started >= timeoutMs || signal.aborted) return { found, enough };
      if (now - reported >= progressMs) {
        reported = now;
        context.progress(wait.progress(found, (now - started) / (timeoutMs + 1)));
      }
      const rest = Math.min(lookMs, timeoutMs - (now - started), progressMs - (now - reported));
      await wakeUp.wait(Math.max(1, rest));
    }
  } finally {
    stop.abort();
  }
}

/** A wake-up signal. It has one abort listener for the whole wait, since it can fire many times a second. */
function createWakeUp(signal: AbortSignal) {
  let isFired = false;
  let wake = () => {};
  const fire = () => {
    isFired = true;
    wake();
  };
  signal.addEventListener('abort', fire, { once: true });
  return {
    fire,
    /** Forgets earlier wake-ups. */
    reset(): void {
      isFired = signal.aborted;
    },
    async wait(ms: number): Promise<void> {
      if (isFired) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    },
  };
}
