import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { estimateBytes } from '../../kernel/json-limits.ts';
import type { Entry, Write } from '../../kernel/store/store.ts';

export type Outcome = 'ok' | 'tool_error' | 'error' | 'cancelled' | 'locked' | 'disconnected' | 'interrupted';

export interface CallRecord {
  readonly upstream: string;
  readonly tool: string;
  readonly outcome: Outcome;
  readonly tookMs: number;
  readonly bytes: number | undefined;
  readonly result: JsonObject | undefined;
  /** Only where the configuration asks for the content. */
  readonly content: JsonObject | undefined;
}

/**
 * A commit waits for the disk and holds up every call behind it. So rows are written when there is a pause, or, in a row
 * of calls without one, right behind an answer from time to time.
 */
const quietMs = 50;
const latestMs = 500;
const fullRows = 2000;

/**
 * Journal rows of forwarded calls. They are written together a moment later: the answer does not wait for a row that
 * only says that it was given.
 */
export class Ledger {
  #entries: Entry[] = [];
  #writes: Write[] = [];
  #context: Context | undefined;
  #timer: NodeJS.Timeout | undefined;
  #oldest = 0;
  #flushing: Promise<void> = Promise.resolve();

  add(context: Context, call: CallRecord, write?: Write): void {
    const bytes = call.bytes ?? (call.result === undefined ? 0 : estimateBytes(call.result));
    const data = {
      tool: call.tool,
      outcome: call.outcome,
      duration_ms: Math.round(call.tookMs * 10) / 10,
      bytes,
      ...(call.content !== undefined && { content: call.content }),
    };
    this.#entries.push(entry(context, call.upstream, 'upstream.call', data));
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
