import type { AgentMarks } from './agent.ts';
import type { Callback } from './callback.ts';
import type { Context } from './context.ts';
import type { Operation, Prompt, Resource } from './operation.ts';
import type { Offer } from './port.ts';
import type { Settings } from './setting.ts';
import type { Table } from './table.ts';

/** The application that offers are made for. There may be several in a process, so nothing is kept beside it. */
export interface Host {
  /** The product's own context, for what runs without a caller. */
  context(): Promise<Context>;
  /** The names of all our own tools. */
  toolNames(): Promise<readonly string[]>;
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
  operations?(): Promise<Offered>;
  /** For the reference and for the test that no code is used twice; nobody needs it to show a problem. */
  problems?(): Promise<object>;
}

export interface Offered {
  readonly operations: readonly Operation[];
  readonly resources?: readonly Resource[];
  readonly prompts?: readonly Prompt[];
  /** Prompts that depend on the configuration. */
  promptsFor?(context: Context): Promise<readonly Prompt[]>;
}

export function defineModule<const M extends Module>(module: M): M {
  return module;
}
