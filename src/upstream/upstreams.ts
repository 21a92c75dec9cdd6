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

interface UpstreamsOptions {
  /** Returns the names of our own tools; an upstream's tool of the same name is shown with a prefix. */
  readonly ours: () => readonly string[];
  /** Returns the server's own context, for work outside any call. */
  readonly context: () => Promise<Context>;
  readonly changed: (change: RelayChange) => void;
}

/** The upstreams of one project, for operations and the surface. */
export interface Upstreams {
  readonly list: readonly Upstream[];
  readonly activations: Activations;
  readonly relay: Omit<Relay, 'watch'>;
  readonly loaded: Once<true>;
  close(): Promise<void>;
}

/** Creates the upstreams without connecting; each connects on first use. */
export async function createUpstreams(options: UpstreamsOptions): Promise<Upstreams> {
  const own = await options.context();
  const changed = (change: RelayChange, tell: boolean) => {
    if (tell) options.changed(change);
  };
  const list = upstreamsOf(own).map((settings) => new Upstream({ settings, context: options.context, changed }));
  const activations = new Activations();
  const ledger = new Ledger();
  const loaded = once(async () => {
    const catalog = await readCatalog(own);
    for (const upstream of list) upstream.known ??= catalog.get(upstream.name);
    return true as const;
  });
  const names = list.map((one) => one.name);
  const naming = createNaming(names, options.ours());
  const relay = createRelay({ upstreams: list, naming, activations, ledger, several: list.length > 1, loaded });
  return {
    list,
    activations,
    relay,
    loaded,
    async close() {
      await Promise.all(list.map((one) => one.close()));
      // Closing ended the running calls, whose rows are written after their answers.
      await new Promise((resolve) => setImmediate(resolve));
      await ledger.flush();
    },
  };
}
