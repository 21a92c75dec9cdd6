import type { Context } from './context.ts';
import type { Policy } from './policy.ts';
import type { Query, Row, Store } from './store.ts';

/**
 * Asks whether the operation is permitted and lets it begin meanwhile. What both read first is read in one round trip; what it
 * reads comes to it, and what it writes goes, when it is permitted. Throws the refusal otherwise.
 */
export async function runInAdvance<T>(
  policy: Policy,
  context: Context,
  operation: { readonly name: string; run(context: Context, input: never): Promise<T> },
  input: never,
): Promise<T> {
  const { store } = context;
  const read = joiningTwo(store);
  const refusal = policy.check({ ...context, store: { ...store, read } }, operation.name);
  const permitted = refusal.then((refused) => {
    if (refused !== undefined) throw refused;
  });
  permitted.catch(() => undefined); // Thrown below.
  const held: Store = {
    ...store,
    read: async (queries) => (await Promise.all([permitted, read(queries)]))[1],
    commit: (writes, journal) => permitted.then(() => store.commit(writes, journal)),
    after: (seq, limit) => permitted.then(() => store.after(seq, limit)),
    head: () => permitted.then(() => store.head()),
  };
  const output = operation.run({ ...context, store: held }, input);
  output.catch(() => undefined); // Thrown below.
  // Whatever else is wrong: who may not do it hears nothing but that.
  await permitted;
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
