import type { Plain } from '../kernel/plain.ts';
/** What one line of an agent's output says, in words that are the same for every CLI. */
export type Fact =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly change: 'created' | 'edited' | 'deleted' }
  | { readonly kind: 'denied'; readonly tool: string }
  /** Something it said; the last one is its answer where no `answer` comes. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  /** A line of plain output; the last ones are its answer where it said nothing else. */
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string }
  /** Tokens and cost: of the whole run, or one step to be added. */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly step?: true }
  | { readonly kind: 'duration'; readonly ms: number }
  /** The work is done, whatever the process does afterwards. */
  | { readonly kind: 'end' };

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly costUsd?: number;
}

/** Reads one agent's stream, line by line. It may remember: a result names the call by its id only. */
export interface StreamReader {
  read(line: string): readonly Fact[];
}

/** How our own MCP server is started for this agent. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Holds the agent's token: only ever written to a file that is its owner's alone. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Launch {
  readonly model: string | undefined;
  /** `full`: whatever the process's gate does not deny. `edit`: files only. Nobody is there to be asked. */
  readonly permissions: 'full' | 'edit';
  readonly prompt: string;
  readonly systemPrompt: string | undefined;
  readonly workingDirectory: string;
  /** A folder of this agent, its owner's alone; `files` are written there. */
  readonly folder: string;
  /** `command`: the program and its arguments. */
  readonly command: readonly string[] | undefined;
  readonly server: McpServer;
  /** A JSON file with `server.env`; `SEKISHO_ENV_FILE` leads to it where a command line or a shared file must not. */
  readonly envFile: string;
}

export interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written into the agent's folder before it starts, mode 0600. */
  readonly files: Readonly<Record<string, string>>;
  /** Written into the working directory unless something is there already; holds nothing secret. */
  readonly projectFiles?: Readonly<Record<string, string>>;
  readonly stdin: string;
}

/** One agent CLI. Adding one is a file in `agent/` and a line in `agents.ts`. */
export interface AgentCli {
  readonly id: string;
  /** Absent for `command`, whose program the role names. */
  readonly binary: string | undefined;
  readonly install: string;
  readonly capabilities: {
    /** It is told about `report_result`, and its answer to a prompt can be checked. */
    readonly model: boolean;
    readonly tokens: boolean;
    readonly cost: boolean;
  };
  invoke(launch: Launch): Invocation;
  reader(): StreamReader;
}

/** A line as an object; undefined where it is anything else: torn lines and plain text are ordinary. */
export function jsonLine(line: string): Plain | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Plain;
  } catch {
    return undefined;
  }
}

export function object(value: unknown): Plain {
  return typeof value === 'object' && value !== null ? (value as Plain) : {};
}

export function list(value: unknown): readonly Plain[] {
  return Array.isArray(value) ? value.map(object) : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Without the fields that are not known. */
export function usageOf(given: { readonly [K in keyof Usage]: Usage[K] | undefined }): Usage {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
