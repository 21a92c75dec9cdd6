import { once, type Once } from '../base/once.ts';
import type { Context } from '../kernel/context.ts';
import type { Relay, RelayChange } from '../kernel/relay.ts';
import { Activations } from './link/activation.ts';
import { readCatalog } from './link/catalogue.ts';
import { Ledger } from './relay/ledger.ts';
import { createNaming } from './relay/naming.ts';
import { createRelay } from './relay/relay.ts';
import { Upstream } from './link/upstream.ts';
import { upstreamsOf } from './settings.ts';

export interface UpstreamsOptions {
  readonly version: string;
  /** Names of our own tools: an upstream's tool of the same name is shown with a prefix. */
  readonly ours: () => readonly string[];
  /** Of the server itself: for what happens outside of any call. */
  readonly context: () => Promise<Context>;
  readonly changed: (change: RelayChange) => void;
}

/** The upstreams of one project, as operations and the surface use them. */
export interface Upstreams {
  readonly list: readonly Upstream[];
  readonly activations: Activations;
  readonly relay: Omit<Relay, 'watch'>;
  readonly loaded: Once<true>;
  close(): Promise<void>;
}

/** Nothing is connected here: each upstream is when somebody wants something of it. */
export async function createUpstreams(options: UpstreamsOptions): Promise<Upstreams> {
  const own = await options.context();
  const changed = (change: RelayChange, tell: boolean) => {
    if (tell) options.changed(change);
  };
  const list = upstreamsOf(own).map(
    (one) => new Upstream({ settings: one, version: options.version, context: options.context, changed }),
  );
  const activations = new Activations();
  const ledger = new Ledger();
  const loaded = once(async () => {
    const catalog = await readCatalog(own);
    for (const upstream of list) upstream.known ??= catalog.get(upstream.name);
    return true as const;
  });
  const relay = createRelay({
    upstreams: list,
    naming: createNaming(
      list.map((one) => one.name),
      options.ours(),
    ),
    activations,
    ledger,
    several: list.length > 1,
    loaded,
  });
  return {
    list,
    activations,
    relay,
    loaded,
    async close() {
      await Promise.all(list.map((one) => one.close()));
      // Closing ended the calls that were running, and their rows are written behind their answers.
      await new Promise((resolve) => setImmediate(resolve));
      await ledger.flush();
    },
  };
}
