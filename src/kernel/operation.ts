import type { z } from 'zod';
import type { Context } from './context.ts';
import type { Recorded } from './store/store.ts';
import type { Words } from './text/text.ts';
import type { Described } from './text/described.ts';
import type { Toolset } from './toolset.ts';

export type Effect = 'read' | 'write';

/** What is about to be agreed to, and the input that does exactly that even if things change while the question stands. */
export interface ConfirmationQuestion<I> {
  readonly text: string;
  readonly input: I;
}

/** Every field says what it is in every language, else it does not compile. */
export type Input = z.ZodObject<Readonly<Record<string, Described>>>;

/** One verb of the product. MCP tool, command and reference page are derived from it. */
export interface Operation<I extends Input = Input, O extends z.ZodObject = z.ZodObject> {
  /** The wire name, dots included. */
  readonly name: string;
  readonly toolsets: readonly [Toolset, ...Toolset[]];
  readonly effect: Effect;
  /** Calling it again with the same arguments changes nothing more. */
  readonly idempotent?: boolean;
  readonly summary: Words;
  readonly input: I;
  readonly output: O;
  /** Arguments of a command line that a person could type, for `--help` and the reference. */
  readonly example?: string;
  /** The short command for it; an agent that may not call it is told to ask a person for that. */
  readonly command?: string;
  run(context: Context, input: z.output<I>): Promise<z.input<O>>;
  /** What a person at a terminal should see and agree to first; undefined where there is nothing to ask. */
  confirm?(context: Context, input: z.output<I>): Promise<ConfirmationQuestion<z.input<I>> | undefined>;
  /** Accepted, but not what was hoped for: the command line ends with 1. */
  fellShort?(output: z.input<O>): boolean;
  /** Where the text that a client shows is not the answer as JSON: that text, and fields that stand beside it at the top level. */
  present?(output: z.input<O>): { readonly text: string; readonly beside: Readonly<Record<string, unknown>> };
}

/** Keeps the types of input and output: whoever calls it over the API knows what it answers. */
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

/** Something a client can read and watch by address. */
export interface Resource {
  /** RFC 6570 level 1, e.g. `stategate://runs/{run_id}/summary`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly toolsets: readonly [Toolset, ...Toolset[]];
  readonly summary: Words;
  readonly mimeType: string;
  list(context: Context, cursor: string | undefined): Promise<ResourcePage>;
  /** The value, serialised as JSON by the surface; undefined where there is none. */
  read(context: Context, variables: Readonly<Record<string, string>>): Promise<unknown>;
  /** Which addresses a journal entry changed; undefined where it does not concern this resource. */
  changed(entry: Recorded): ResourceChange | undefined;
  /** Begins to look at what changes it outside of the store. What it returns is called once a second while somebody listens. */
  outside?(): (context: Context) => Promise<ResourceChange | undefined>;
}

export interface ResourceChange {
  readonly uris: readonly string[];
  /** Whether a list has to be read anew. */
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

/** What clients can ask for: of one module, or of all. */
export interface Catalogue {
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** Prompts that depend on the configuration. */
  promptsFor?(context: Context): Promise<readonly Prompt[]>;
}
