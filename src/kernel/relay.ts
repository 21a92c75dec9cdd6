import type { JsonObject } from '../base/json-object.ts';
import type { Context } from './context.ts';
import type { Voice } from './exchange.ts';
import { definePort } from './port.ts';

export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/** Who asks for something that is not ours. */
export interface Caller {
  readonly context: Context;
  /** The same for every request of one client: its session, or its principal and name where the protocol has no sessions. */
  readonly connection: string;
  readonly era: 'legacy' | 'modern';
  /** What the client says it can do: `sampling`, `elicitation`, `roots` … */
  readonly capabilities: JsonObject;
  /** To the client while this request runs: 2025 era only. */
  readonly voice: Voice | undefined;
  /** To the client outside of any request; undefined where it does not listen, or cannot. */
  readonly standing: () => Voice | undefined;
}

/** One request on its way to something that is not ours. */
export interface Wire extends Caller, Voice {
  readonly signal: AbortSignal;
  readonly meta: JsonObject | undefined;
  /** From which level on this client wants log messages; undefined where it did not say. */
  readonly logLevel: string | undefined;
  /** Ends the stream of this answer: the client comes back for the rest. Absent where a client could not. */
  readonly detach?: (() => void) | undefined;
}

export interface RelayChange {
  readonly list?: 'tools' | 'resources' | 'prompts';
  readonly uri?: string;
}

/** Tools, resources and prompts of others, which pass through as they are. */
export interface Relay {
  /** What it adds to a list. Asked at calls too, so it answers from memory. */
  list(kind: ListKind, caller: Caller): Promise<readonly JsonObject[]>;
  /**
   * The raw result of `tools/call`, `resources/read`, `prompts/get`, `completion/complete`, `tasks/…`; undefined where the
   * name is none of its own. It is also told of `resources/subscribe`, `resources/unsubscribe` and `logging/setLevel`,
   * whose answer is not used. A thrown error's integer `code` and its `data` reach the client. An answer may be
   * `input_required`; the call then comes again with `inputResponses` and `requestState` in the params.
   */
  answer(method: string, params: JsonObject, wire: Wire): Promise<JsonObject | undefined>;
  /** A notification of a client that concerns what it uses here: its roots changed, a task of its own moved on. */
  heard(connection: string, method: string, params: JsonObject): void;
  /** This client has gone: what was opened for it alone is closed. */
  left(connection: string): void;
  watch(listener: (change: RelayChange) => void): () => void;
}

/** What stands behind this server; undefined: nothing. */
export const relayPort = definePort<Relay | undefined>('relay', undefined);
