import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { estimateBytes } from '../../kernel/json-limits.ts';
import type { Entry, Write } from '../../kernel/store/store.ts';

export type Outcome = 'ok' | 'tool_error' | 'error' | 'cancelled' | 'locked' | 'disconnected' | 'interrupted';

export type CallData = Pick<CallRecord, 'tool' | 'outcome'> & {
  duration_ms: number;
  bytes: number;
  content?: JsonObject;
};

interface CallRecord {
  readonly upstream: string;
  readonly tool: string;
  readonly outcome: Outcome;
  readonly tookMs: number;
  readonly bytes: number | undefined;
  readonly result: JsonObject | undefined;
  /** Arguments and result, only if the configuration asks for them. */
  readonly content: JsonObject | undefined;
}

/** Delays before rows are written. A commit blocks later calls, so it waits for a pause, at most for `latestMs`. */
const quietMs = 50;
const latestMs = 500;
const fullRows = 2000;

/** Collects journal rows of forwarded calls and writes them together, so that no answer waits for its own row. */
export class Ledger {
  #entries: Entry[] = [];
  #writes: Write[] = [];
  #context: Context | undefined;
  #timer: NodeJS.Timeout | undefined;
  #oldest = 0;
  #flushing: Promise<void> = Promise.resolve();

  add(context: Context, call: CallRecord, write?: Write): void {
    const { upstream, tool, outcome, content } = call;
    const duration_ms = Math.round(call.tookMs * 10) / 10;
    const bytes = call.bytes ?? (call.result === undefined ? 0 : estimateBytes(call.result));
    const data: CallData = { tool, outcome, duration_ms, bytes, ...(content !== undefined && { content }) };
    this.#entries.push(entry(context, upstream, 'upstream.call', data));
    if (write !== undefined) this.#writes.push(write);
    this.#context = context;
    const now = performance.now();
    if (this.#timer === undefined) {
      this.#oldest = now;
      this.#timer = setTimeout(() => void this.flush(), quietMs);
    } else if (now - this.#oldest > latestMs || this.#entries.length >= fullRows) setImmediate(() => void this.flush());
    else this.#timer.refresh();
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [first, ...rest] = this.#entries;
    const writes = this.#writes;
    const context = this.#context;
    this.#entries = [];
    this.#writes = [];
    if (first === undefined || context === undefined) return this.#flushing;
    this.#flushing = this.#flushing
      .then(() => context.store.commit(writes, [first, ...rest]))
      .then(
        () => undefined,
        (error: unknown) =>
          context.log.error('calls of upstreams were not journalled', { rows: rest.length + 1, reason: String(error) }),
      );
    return this.#flushing;
  }
}
