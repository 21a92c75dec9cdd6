import type { ClientConnection, Context, Progress } from './context.ts';
import type { Catalogue } from './operation.ts';
import type { Policy } from './policy.ts';
import type { JsonObject } from '../base/json-object.ts';
import type { Principal } from './principal.ts';
import type { Relay } from './relay.ts';
import type { Recorded } from './store/store.ts';
import type { Lang } from './text/text.ts';
import type { Toolset } from './toolset.ts';

/** The facts about a call that a surface knows before it runs. */
export interface OperationCall {
  /** Set for calls of the product itself. Only our own code sets it. */
  readonly as?: 'system' | 'runner';
  /** The owner of the token that the surface has checked. */
  readonly principal?: Principal | undefined;
  /** The connection is an agent's whatever this process could prove: it is that of a stdio server. */
  readonly agentOnly?: true | undefined;
  /** The name that an MCP client gives itself. */
  readonly client?: string | undefined;
  /** The run that this call was started for. */
  readonly runId?: string | undefined;
  /** The MCP client that calls; absent on the command line. */
  readonly connection?: ClientConnection;
  /** The caller's language; absent: the configuration's. */
  readonly lang?: Lang;
  readonly signal?: AbortSignal;
  readonly progress?: (step: Progress) => void;
}

/** One of our own tools as clients see it, without the operation behind it. */
export interface ListedTool {
  readonly toolsets: readonly Toolset[];
  readonly tool: JsonObject;
}

/** How tools are listed for a client. */
export interface Listing {
  /** Whether names have dots: some clients reject a whole server for one dot. */
  readonly dots: boolean;
  /** Whether output schemas are listed: some clients validate errors against them. */
  readonly outputSchemas: boolean;
}

/** The interface that surfaces are built on. `app/application.ts` makes one. */
export interface Application {
  readonly version: string;
  readonly lang: Lang;
  /** The toolsets that are served at all, on every surface. */
  readonly toolsets: readonly Toolset[];
  /** The limit for one message, in either direction. */
  readonly maxMessageBytes: number;
  /** How tools are listed for this client. */
  listing(client: string | undefined): Listing;
  /** The instructions on these toolsets that a client gets at the start. */
  introduction(visible: readonly Toolset[], client: string | undefined): string;
  readonly policy: Policy;
  /** The relay to upstream servers. */
  readonly relay: Relay | undefined;
  /** Our own tools, without loading their operations. */
  tools(): readonly ListedTool[];
  /** The catalogue of all modules, loaded at the first call. */
  catalog(): Promise<Catalogue>;
  /** Whether this call would act as a person; false for a claim that would be refused. Opens the store only if it must. */
  isPerson(call: OperationCall): Promise<boolean>;
  /** The context of a call. Throws a Problem if the caller claims a role that it may not have. */
  context(call: OperationCall): Promise<Context>;
  /** Calls the listener for every new journal entry of any process. Returns a function that stops it. */
  watch(listener: (entry: Recorded) => void): Promise<() => void>;
  close(): Promise<void>;
}
