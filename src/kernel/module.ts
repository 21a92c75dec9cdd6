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

/** The application that a module provides ports for. A process can have several, each with its own state. */
export interface Host {
  /** The product's own context, for work without a caller. */
  context(): Promise<Context>;
  readonly settings: Configured;
  /** The names of all our own tools. */
  toolNames(): readonly string[];
  onClose(close: () => Promise<void>): void;
}

/** A module. Values here are cheap to load; parts that are expensive to load are behind functions. */
export interface Module {
  readonly name: string;
  readonly settings?: Settings;
  /** The marks of its agent CLIs. */
  readonly agents?: readonly AgentMarks[];
  readonly tables?: readonly Table[];
  /** Callbacks that rows of other modules can name. */
  readonly callbacks?: readonly Callback[];
  /** Implementations of ports, for modules that may not import it. Called once per application. */
  offers?(host: Host): readonly Offer[];
  catalogue?(): Promise<Catalogue>;
  /** Its part of the instructions that a client gets at the start. `as` spells a tool's name as that client sees it. */
  introduction?(host: Pick<Host, 'settings'>, as: (tool: string) => string): readonly Sentence[];
  /** HTTP endpoints that it adds to the daemon. */
  readonly endpoints?: () => Promise<(host: EndpointHost) => readonly Endpoint[]>;
  readonly sockets?: () => Promise<(host: EndpointHost) => readonly SocketEndpoint[]>;
  /** The source of its notifications. */
  readonly notices?: NoticeSource;
  /** Writes that it adds after a restore. */
  readonly restored?: RestoredWrites;
  /** Called when a server starts: cleans up after one that died. */
  begin?(context: Context): Promise<void>;
  /** Its problems, for the reference and for the test that no code is used twice. Showing a problem does not need them. */
  problems?(): Promise<object>;
}

export function defineModule<const M extends Module>(module: M): M {
  return module;
}
