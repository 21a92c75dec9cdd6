import type { JsonObject } from '../../src/base/json-object.ts';
import type { RelayChange, Wire } from '../../src/kernel/relay.ts';

/** A tool that the conformance suite demands of every server. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  call(params: JsonObject, around: Around): Promise<JsonObject>;
}

export interface Around {
  readonly wire: Wire;
  readonly changed: (change: RelayChange) => void;
}

export const nothing: JsonObject = { type: 'object', properties: {} };
