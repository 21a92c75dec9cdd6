/** As much of an AbortSignal as it takes to be told. */
export interface Stoppable {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Tells by a signal when something is called off. The signal may be made only for whoever asks for it. */
export interface Signalling {
  readonly signal: AbortSignal;
}

/**
 * Calls off one request. An AbortSignal for each would take a tenth of a proxied call's time (Node 20 makes one by changing
 * the prototype of another object), so there is one only for whoever asks for it.
 */
export class Stop implements Stoppable, Signalling {
  /** Made with the first one: most requests end before anybody listens. */
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;
  aborted = false;
  reason: unknown;

  static by(signal: AbortSignal): Stop {
    const stop = new Stop();
    if (signal.aborted) stop.abort(signal.reason);
    else signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
    return stop;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener();
    this.#listeners = undefined;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    (this.#listeners ??= new Set()).add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }
}
