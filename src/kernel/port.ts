/** Dependency inversion: the consumer declares a port with a default, and another module implements it. */
export interface Port<T> {
  readonly name: string;
  of(context: { readonly ports: Ports }): T;
  offer(implementation: T): Offer;
}

export interface Offer {
  readonly port: object;
  readonly implementation: unknown;
}

/** The implementations of an application, by port. */
export type Ports = ReadonlyMap<object, unknown>;

export function definePort<T>(name: string, fallback: T): Port<T> {
  const port: Port<T> = {
    name,
    of: ({ ports }) => (ports.has(port) ? (ports.get(port) as T) : fallback),
    offer: (implementation) => ({ port, implementation }),
  };
  return port;
}
