import type { AgentMarks } from './agent-marks.ts';
import type { Callback } from './callback.ts';
import type { Context } from './context.ts';
import type { Endpoint, EndpointHost, SocketEndpoint } from './endpoint.ts';
import type { NoticeSource } from './notice.ts';
import type { Catalogue } from './operation.ts';
import type { Offer } from './port.ts';
import type { RestoredWrites } from './store/restoring.ts';
import type { Configured, Settings } from './setting.ts';
import type { Table } from './store/table.ts';
import type { Sentence } from './text/text.ts';

/** The application that offers are made for. There may be several in a process, so nothing is kept beside it. */
export interface Host {
  /** The product's own context, for what runs without a caller. */
  context(): Promise<Context>;
  readonly settings: Configured;
  /** The names of all our own tools. */
  toolNames(): readonly string[];
  onClose(close: () => Promise<void>): void;
}

/** All that a module is. What stands here as a value is light; what is dear to load stands behind a function. */
export interface Module {
  readonly name: string;
  readonly settings?: Settings;
  /** Agent CLIs, by their marks. */
  readonly agents?: readonly AgentMarks[];
  readonly tables?: readonly Table[];
  /** What rows of other modules may remember to ask of this one. */
  readonly callbacks?: readonly Callback[];
  /** What it does for modules that may not import it. Called once for each application. */
  offers?(host: Host): readonly Offer[];
  catalogue?(): Promise<Catalogue>;
  /** What a client is told of it at the start, in a sentence or two; `as` spells a tool's name as that client sees it. */
  introduction?(host: Pick<Host, 'settings'>, as: (tool: string) => string): readonly Sentence[];
  /** What it adds to the daemon beside MCP. */
  readonly endpoints?: () => Promise<(host: EndpointHost) => readonly Endpoint[]>;
  readonly sockets?: () => Promise<(host: EndpointHost) => readonly SocketEndpoint[]>;
  /** What of its doings somebody wants to be told of who looks elsewhere. */
  readonly notices?: NoticeSource;
  /** After a backup was put in place of the store. */
  readonly restored?: RestoredWrites;
  /** When a server begins: what a dead one left behind. */
  begin?(context: Context): Promise<void>;
  /** For the reference and for the test that no code is used twice; nobody needs it to show a problem. */
  problems?(): Promise<object>;
}

export function defineModule<const M extends Module>(module: M): M {
  return module;
}
