export interface Once<T> {
  /** Begins with the first who asks; everybody gets the same. Where it failed, the next who asks tries again. */
  (): Promise<T>;
  /** What was begun, if anything was: whoever closes waits for it and does not begin it. */
  readonly begun: () => Promise<T | undefined>;
  /** What is there already: nobody need wait for it. */
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
