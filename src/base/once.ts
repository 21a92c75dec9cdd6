/** A value that is made at the first call. */
export interface Once<T> {
  /** All callers get the same promise. After a failure the next call tries again. */
  (): Promise<T>;
  /** Waits for the value if a call has begun to make it, and does not begin itself: for closing. */
  readonly begun: () => Promise<T | undefined>;
  /** The value if it has been made. */
  readonly made: () => T | undefined;
}

export function once<T>(begin: () => Promise<T>): Once<T> {
  let promise: Promise<T> | undefined;
  let value: T | undefined;
  const get = () =>
    (promise ??= begin().then(
      (one) => (value = one),
      (error: unknown) => {
        promise = undefined;
        throw error;
      },
    ));
  return Object.assign(get, { begun: async () => promise?.catch(() => undefined), made: () => value });
}
