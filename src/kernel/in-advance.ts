import type { Context } from './context.ts';
import type { Policy } from './policy.ts';
import type { Query, Row, Store } from './store.ts';

/**
 * Asks whether the operation is permitted and lets it begin meanwhile. What both read first is read in one round trip; what it
 * reads comes to it, and what it writes goes, when it is permitted. Throws the refusal otherwise. With an assumption (see
 * `Policy`) nobody is asked until the operation reads, and its first commit may do without: then it goes if that holds.
 */
export async function runInAdvance<T>(
  policy: Policy,
  context: Context,
  operation: { readonly name: string; run(context: Context, input: never): Promise<T> },
  input: never,
): Promise<T> {
  const { store } = context;
  const read = joiningTwo(store);
  const assumption = policy.assume?.(context, operation.name);
  let assumed = assumption;
  let asked: Promise<void> | undefined;
  let failed: { readonly error: unknown } | undefined;
  const ask = async () => {
    const refused = await policy.check({ ...context, store: { ...store, read } }, operation.name);
    if (refused !== undefined) throw refused;
  };
  const permitted = (): Promise<void> => {
    if (asked === undefined) {
      asked = ask();
      asked.catch(() => undefined); // Thrown below.
    }
    return asked;
  };
  const commit: Store['commit'] = async (writes, journal) => {
    const condition = asked === undefined ? assumed : undefined;
    if (condition === undefined) return permitted().then(() => store.commit(writes, journal));
    assumed = undefined;
    const outcome = await store.commit([condition, ...writes], journal).catch((error: unknown) => {
      failed = { error };
      throw error;
    });
    // Permitted once is permitted: what it has just changed may be what would forbid it now.
    if (outcome.done) asked ??= Promise.resolve();
    return outcome.done ? outcome : { done: false, conflict: Math.max(outcome.conflict - 1, 0) };
  };
  const held: Store = {
    location: store.location,
    remote: store.remote,
    read: async (queries) => (await Promise.all([permitted(), read(queries)]))[1],
    commit,
    after: (seq, limit) => permitted().then(() => store.after(seq, limit)),
    head: () => permitted().then(() => store.head()),
    now: () => store.now(),
    version: () => store.version(),
    follow: (seq, signal) => store.follow(seq, signal),
    close: () => store.close(),
  };
  if (assumption === undefined) void permitted();
  const output = operation.run({ ...context, store: held }, input);
  if (assumption === undefined) output.catch(() => undefined); // Thrown below.
  else await output.catch(() => undefined);
  // Nobody knows whether it is there: that must be heard first.
  if (failed !== undefined) throw failed.error;
  // Whatever else is wrong: who may not do it hears nothing but that.
  await permitted();
  return output;
}

interface Waiting {
  readonly queries: readonly Query[];
  resolve(rows: readonly (readonly Row[])[]): void;
  reject(error: unknown): void;
}

/** The first read waits for a second one as long as nothing else has to be waited for. */
function joiningTwo(store: Store): Store['read'] {
  let waiting: Waiting | undefined;
  let isOpen = true;
  const send = (all: readonly Waiting[]): void => {
    store.read(all.flatMap((one) => one.queries)).then(
      (rows) => {
        let from = 0;
        for (const one of all) {
          one.resolve(rows.slice(from, from + one.queries.length));
          from += one.queries.length;
        }
      },
      (error: unknown) => all.forEach((one) => one.reject(error)),
    );
  };
  return (queries) => {
    if (!isOpen) return store.read(queries);
    return new Promise((resolve, reject) => {
      const one = { queries, resolve, reject };
      if (waiting !== undefined) {
        isOpen = false;
        return send([waiting, one]);
      }
      waiting = one;
      return setImmediate(() => {
        if (!isOpen) return;
        isOpen = false;
        send([one]);
      });
    });
  };
}
