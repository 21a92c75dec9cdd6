interface Event<S> {
  readonly stream: S;
  readonly text: string;
  readonly bytes: number;
}

export interface EventLimits {
  readonly events: number;
  readonly bytes: number;
}

const defaultLimits: EventLimits = { events: 2000, bytes: 16 * 1024 * 1024 };

/** The latest events of all streams, in one log of limited size, for clients that reconnect with the last id. */
export class EventLog<S> {
  readonly #limits: EventLimits;
  readonly #events = new Map<number, Event<S>>();
  #next = 1;
  #bytes = 0;

  constructor(limits: EventLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Gives an event its id, keeps its text for a while, and returns the text. */
  add(stream: S, write: (id: number) => string): string {
    const id = this.#next++;
    const text = write(id);
    const bytes = Buffer.byteLength(text);
    this.#events.set(id, { stream, text, bytes });
    this.#bytes += bytes;
    for (const [oldest, event] of this.#events) {
      if (this.#events.size <= this.#limits.events && this.#bytes <= this.#limits.bytes) break;
      this.#events.delete(oldest);
      this.#bytes -= event.bytes;
    }
    return text;
  }

  /** The stream of an event; undefined if the event is no longer kept. */
  streamOf(id: number): S | undefined {
    return this.#events.get(id)?.stream;
  }

  after(id: number): readonly string[] {
    const stream = this.streamOf(id);
    return [...this.#events].filter(([one, event]) => one > id && event.stream === stream).map(([, { text }]) => text);
  }
}
