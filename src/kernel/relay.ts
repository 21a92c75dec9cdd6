import type { JsonObject } from '../base/json-object.ts';
import type { Context } from './context.ts';
import type { Voice } from './exchange.ts';
import { definePort } from './port.ts';

export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/** The client of a request to an upstream. */
export interface Caller {
  readonly context: Context;
  /** The client's id across requests: its session, or its principal and name if the protocol has no sessions. */
  readonly connection: string;
  readonly era: 'legacy' | 'modern';
  /** The capabilities that the client declares: `sampling`, `elicitation`, `roots` … */
  readonly capabilities: JsonObject;
  /** Reaches the client while this request runs (2025 era only). */
  readonly voice: Voice | undefined;
  /** Reaches the client outside of requests; undefined if it does not listen. */
  readonly standing: () => Voice | undefined;
}

/** One request on its way to an upstream. */
export interface Wire extends Caller, Voice {
  readonly signal: AbortSignal;
  readonly meta: JsonObject | undefined;
  /** The lowest level of log messages that this client wants; undefined if it set none. */
  readonly logLevel: string | undefined;
  /** Closes the stream of this answer; the client reconnects for the rest. Absent if it cannot. */
  readonly detach?: (() => void) | undefined;
}

export interface RelayChange {
  readonly list?: 'tools' | 'resources' | 'prompts';
  readonly uri?: string;
}

/** Passes tools, resources and prompts of upstream servers through unchanged. */
export interface Relay {
  /** The entries that it adds to a list. Calls ask for them too, so it answers from memory. */
  list(kind: ListKind, caller: Caller): Promise<readonly JsonObject[]>;
  /**
   * The raw result of `tools/call`, `resources/read`, `prompts/get`, `completion/complete`, `tasks/…`; undefined if the name
   * is not an upstream's. It also receives `resources/subscribe`, `resources/unsubscribe` and `logging/setLevel`, whose answer
   * is not used. A thrown error's integer `code` and its `data` reach the client. An answer can be `input_required`; the
   * client then calls again with `inputResponses` and `requestState` in the params.
   */
  answer(method: string, params: JsonObject, wire: Wire): Promise<JsonObject | undefined>;
  /** Takes a client's notification for upstreams: its roots changed, or one of its tasks progressed. */
  heard(connection: string, method: string, params: JsonObject): void;
  /** Closes the connections that were opened for this client alone, which has disconnected. */
  left(connection: string): void;
  watch(listener: (change: RelayChange) => void): () => void;
}

/** The relay to upstream servers; undefined if there are none. */
export const relayPort = definePort<Relay | undefined>('relay', undefined);
