import type { Context } from './context.ts';

export type Plain = Readonly<Record<string, unknown>>;
export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/** One request on its way to something that is not ours. */
export interface Wire {
  readonly context: Context;
  /** The same for every request of one client: its session, or its principal and name where the protocol has no sessions. */
  readonly connection: string;
  readonly era: 'legacy' | 'modern';
  readonly meta: Plain | undefined;
  /** To the client, about this request. */
  notify(method: string, params: Plain): Promise<void>;
  /** Asks the client (2025 era only). */
  request(method: string, params: Plain): Promise<Plain>;
}

export interface RelayChange {
  readonly list?: 'tools' | 'resources' | 'prompts';
  readonly uri?: string;
}

/** Tools, resources and prompts of others, which pass through as they are. */
export interface Relay {
  /** What it adds to a list. */
  list(kind: ListKind, wire: Wire): Promise<readonly Plain[]>;
  /** The raw result of `tools/call`, `resources/read`, `prompts/get` …; undefined where the name is none of its own. */
  answer(method: string, params: Plain, wire: Wire): Promise<Plain | undefined>;
  watch(listener: (change: RelayChange) => void): () => void;
}
