/** What a module needs from one that it may not import. Who needs it declares it, and what holds where nobody offers it. */
export interface Port<T> {
  readonly name: string;
  of(context: { readonly ports: Ports }): T;
  offer(implementation: T): Offer;
}

export interface Offer {
  readonly port: object;
  readonly implementation: unknown;
}

/** What the ports of an application lead to, by port. */
export type Ports = ReadonlyMap<object, unknown>;

export function definePort<T>(name: string, fallback: T): Port<T> {
  const port: Port<T> = {
    name,
    of: ({ ports }) => (ports.has(port) ? (ports.get(port) as T) : fallback),
    offer: (implementation) => ({ port, implementation }),
  };
  return port;
}
