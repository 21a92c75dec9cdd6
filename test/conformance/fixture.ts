import type { Plain } from '../../src/base/json-object.ts';
import type { RelayChange, Wire } from '../../src/kernel/relay.ts';

/** A tool that the conformance suite demands of every server. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Plain;
  call(params: Plain, around: Around): Promise<Plain>;
}

export interface Around {
  readonly wire: Wire;
  readonly changed: (change: RelayChange) => void;
}

export const nothing: Plain = { type: 'object', properties: {} };
