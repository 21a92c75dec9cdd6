import type { ClientConnection, Context, Progress } from './context.ts';
import type { Catalogue } from './operation.ts';
import type { Policy } from './policy.ts';
import type { JsonObject } from '../base/json-object.ts';
import type { Principal } from './principal.ts';
import type { Relay } from './relay.ts';
import type { Recorded } from './store/store.ts';
import type { Lang } from './text/text.ts';
import type { Toolset } from './toolset.ts';

/** What a surface knows about a call before it runs. */
export interface OperationCall {
  /** What the product does by itself. Only code in here says so. */
  readonly as?: 'system' | 'runner';
  /** Whose token the surface has checked. */
  readonly principal?: Principal | undefined;
  /** The connection is an agent's, whatever this process could prove: that of a stdio server. */
  readonly agentOnly?: true | undefined;
  /** The name that an MCP client gives itself. */
  readonly client?: string | undefined;
  /** The run that this call was started for. */
  readonly runId?: string | undefined;
  /** The MCP client that calls; absent on the command line. */
  readonly connection?: ClientConnection;
  /** The language of whoever asks; absent: the configuration's. */
  readonly lang?: Lang;
  readonly signal?: AbortSignal;
  readonly progress?: (step: Progress) => void;
}

/** One of our own tools as clients see it, without the operation behind it. */
export interface ListedTool {
  readonly toolsets: readonly Toolset[];
  readonly tool: JsonObject;
}

export interface Listing {
  /** Some reject a whole server for one dot in a name. */
  readonly dots: boolean;
  /** Some take errors for outputs that do not fit. */
  readonly outputSchemas: boolean;
}

/** What surfaces are built on; `app.ts` makes one. */
export interface Application {
  readonly version: string;
  readonly lang: 'en' | 'ja';
  /** What is served at all, on every way in. */
  readonly toolsets: readonly Toolset[];
  /** Of one message, in either direction. */
  readonly maxMessageBytes: number;
  /** What this client cannot stand in a list of tools. */
  listing(client: string | undefined): Listing;
  /** What a client is told of these toolsets at the start. */
  introduction(visible: readonly Toolset[], client: string | undefined): string;
  readonly policy: Policy;
  /** What stands behind this server and is passed through. */
  readonly relay: Relay | undefined;
  /** Our own tools, without loading what they do. */
  tools(): readonly ListedTool[];
  /** Everything every module offers, loaded at the first call. */
  catalog(): Promise<Catalogue>;
  /** Would this call act as a person? Not where it claims what it may not. Opens no store that it need not. */
  isPerson(call: OperationCall): Promise<boolean>;
  /** Throws a Problem where the caller claims a role that it may not have. */
  context(call: OperationCall): Promise<Context>;
  /** Calls back for every journal entry from now on, whoever wrote it. Returns how to stop. */
  watch(listener: (entry: Recorded) => void): Promise<() => void>;
  close(): Promise<void>;
}
