import type { z } from 'zod';
import type { Context } from './context.ts';
import type { Recorded } from './store/store.ts';
import type { Words } from './text/text.ts';
import type { Described } from './text/described.ts';
import type { Toolset } from './toolset.ts';

export type Effect = 'read' | 'write';

/** The question that a person confirms, and the input that does exactly that, even if the state changes before the answer. */
export interface ConfirmationQuestion<I> {
  readonly text: string;
  readonly input: I;
}

/** The input schema of an operation. A field without a description in every language does not compile. */
export type Input = z.ZodObject<Readonly<Record<string, Described>>>;

/** One verb of the product. MCP tool, command and reference page are derived from it. */
export interface Operation<I extends Input = Input, O extends z.ZodObject = z.ZodObject> {
  /** The tool name on the wire, with dots. */
  readonly name: string;
  readonly toolsets: readonly [Toolset, ...Toolset[]];
  readonly effect: Effect;
  /** Calling it again with the same arguments changes nothing more. */
  readonly idempotent?: boolean;
  readonly summary: Words;
  /** The operation to use instead. The command line lists it no more, and says so when it is called. */
  readonly replacedBy?: string;
  readonly input: I;
  readonly output: O;
  /** Example arguments of the command, for `--help` and the reference. */
  readonly example?: string;
  /** Its short command. An agent that may not call the operation is told to ask a person to run it. */
  readonly command?: string;
  run(context: Context, input: z.output<I>): Promise<z.input<O>>;
  /** The question that a person at a terminal must confirm first; undefined if there is none. */
  confirm?(context: Context, input: z.output<I>): Promise<ConfirmationQuestion<z.input<I>> | undefined>;
  /** True for an accepted call with a negative outcome: the command exits with 1. */
  fellShort?(output: z.input<O>): boolean;
  /** The text that clients show in place of the JSON answer, and fields that are added at the top level. */
  present?(output: z.input<O>): { readonly text: string; readonly beside: Readonly<Record<string, unknown>> };
}

/** Defines an operation and keeps the types of its input and output, which the API's client uses. */
export function defineOperation<I extends Input, O extends z.ZodObject>(operation: Operation<I, O>): Operation<I, O> {
  return operation;
}

export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
}

export interface ResourcePage {
  readonly entries: readonly ResourceEntry[];
  readonly nextCursor?: string;
}

/** An MCP resource: something that a client can read and subscribe to by URI. */
export interface Resource {
  /** RFC 6570 level 1, e.g. `stategate://runs/{run_id}/summary`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly toolsets: readonly [Toolset, ...Toolset[]];
  readonly summary: Words;
  readonly mimeType: string;
  list(context: Context, cursor: string | undefined): Promise<ResourcePage>;
  /** The value, which the surface serializes as JSON; undefined if there is none. */
  read(context: Context, variables: Readonly<Record<string, string>>): Promise<unknown>;
  /** The URIs that a journal entry changed; undefined if it does not concern this resource. */
  changed(entry: Recorded): ResourceChange | undefined;
  /** Watches for changes outside of the store: the returned function is called once a second for subscribers. */
  outside?(): (context: Context) => Promise<ResourceChange | undefined>;
}

export interface ResourceChange {
  readonly uris: readonly string[];
  /** Whether clients must reload the list. */
  readonly list: boolean;
}

export interface PromptArgument {
  readonly name: string;
  readonly description: Words;
  readonly required: boolean;
}

export interface Prompt {
  readonly name: string;
  readonly toolsets: readonly [Toolset, ...Toolset[]];
  readonly summary: Words;
  readonly arguments: readonly PromptArgument[];
  render(context: Context, input: Readonly<Record<string, string>>): Promise<string>;
}

/** The operations, resources and prompts of one module, or of all. */
export interface Catalogue {
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** Prompts that depend on the configuration. */
  promptsFor?(context: Context): Promise<readonly Prompt[]>;
}
