import type { ParseArgsConfig } from 'node:util';
import type { Flags } from '../../config/load.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { Words } from '../../kernel/text/text.ts';

export type Options = NonNullable<ParseArgsConfig['options']>;

/** What a command gets: the flags that hold everywhere, its own options, and the rest of the line. */
export interface Invocation {
  readonly flags: Flags;
  readonly json: boolean;
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
  /** All there are: for what speaks of the command line itself. */
  readonly commands: readonly CommandEntry[];
}

/** A command that is no operation. One file in `command/`, one line in `commands.ts`. */
export interface Command {
  readonly options: Options;
  /** From the first word on, the line is another program's: `positionals` has it as it is, a leading `--` included. */
  readonly passesOn?: true;
  readonly usage: string;
  readonly examples: readonly Example[];
  /** The exit code; undefined where the command keeps running. */
  run(invocation: Invocation): Promise<number | undefined>;
}

/** A line that a person could type, and what it is good for where that is not plain. */
export type Example = string | { readonly line: string; readonly note: Words };

export interface CommandEntry {
  readonly name: string;
  readonly summary: Words;
  load(): Promise<Command>;
}

/** Commands that `--help` lists together. */
export interface CommandGroup {
  readonly title: Words;
  readonly commands: readonly CommandEntry[];
}

/** Exit codes mean something. */
export const exitCode = { ok: 0, refused: 1, usage: 2, unavailable: 3, internal: 70, interrupted: 130 } as const;

/** Every other problem is a refusal. */
const failureCodes: Readonly<Record<string, number | undefined>> = {
  UNKNOWN_COMMAND: exitCode.usage,
  WRONG_USE: exitCode.usage,
  PROGRAM_MISSING: exitCode.usage,
  BAD_CONFIGURATION: exitCode.usage,
  STORE_UNAVAILABLE: exitCode.unavailable,
  PLATFORM_UNSUPPORTED: exitCode.unavailable,
  STORE_FULL: exitCode.unavailable,
  STORE_READ_ONLY: exitCode.unavailable,
  STORE_BUSY: exitCode.unavailable,
  STORE_REMOVED: exitCode.unavailable,
  PORT_TAKEN: exitCode.unavailable,
  DAEMON_NOT_UP: exitCode.unavailable,
  RUNNER_REFUSED: exitCode.unavailable,
  INTERNAL_ERROR: exitCode.internal,
};

export function exitCodeOf({ code }: Problem): number {
  return failureCodes[code] ?? exitCode.refused;
}
