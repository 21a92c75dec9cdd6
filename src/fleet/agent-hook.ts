import type { JsonObject } from '../base/json-object.ts';

/** Hook events in our own names; each client has its own. */
export const hookEvents = ['pre-tool-use', 'post-tool-use', 'session-start', 'stop'] as const;

export type HookEvent = (typeof hookEvents)[number];

export interface ToolUse {
  /** The tool's name in the client's spelling. */
  readonly name: string;
  /** Every name a process may use: canonical names, the client's own, `mcp__server__tool`, the bare tool name. */
  readonly names: readonly string[];
  readonly input: JsonObject;
  /** The client's id of this call, if it has such ids. */
  readonly id: string | undefined;
}

/** The parsed stdin of a hook, in the same form for every client. */
export interface HookInput {
  readonly tool: ToolUse | undefined;
  readonly cwd: string | undefined;
  readonly session: string | undefined;
  /** The reason a session starts: startup, resume, clear, compact … */
  readonly source: string | undefined;
  /** The agent continues only because a stop hook told it to. */
  readonly repeated: boolean;
  /** When the client called the hook. A client that also runs another client's hooks calls both at once. */
  readonly moment?: number;
  /** A person is present to answer, and the client honours an "ask" answer. */
  readonly canAsk: boolean;
}

export type HookAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'deny' | 'ask'; readonly reason: string }
  | { readonly kind: 'context'; readonly text: string }
  /** The agent must not stop yet. */
  | { readonly kind: 'block'; readonly reason: string };

/** A file, by absolute path, that makes the client call us. Entries of others in it are kept. */
export type SetupFile =
  /** In a list only our own entry is replaced or added. */
  | { readonly path: string; readonly json: JsonObject }
  | { readonly path: string; readonly table: string; readonly keys: JsonObject }
  /** Missing lines are added. */
  | { readonly path: string; readonly lines: readonly string[] }
  /** The whole file is ours. */
  | { readonly path: string; readonly text: string };

export interface Invocations {
  /** Builds the hook's command line for a shell. */
  hook(event: HookEvent): string;
  readonly mcp: { readonly command: string; readonly args: readonly string[] };
  /** `own`: a person's own files. `shared`: files under the project's version control. */
  readonly scope: 'own' | 'shared';
  /** The folder in which the client is started. */
  readonly tree: string;
  /** The top folder of the main checkout; `tree` itself if there is no git. */
  readonly repository: string;
  /** Returns a folder of the user's home, or the place that the variable names instead. */
  home(folder: string, variable?: string): string;
}

/**
 * A person's trust in our hook, as a client's own files record it. `changed`: it was trusted, but the command has
 * changed since. `folder`: the hook is the project's, and the client reads nothing from a folder it does not trust.
 */
export type HookTrust = 'trusted' | 'untrusted' | 'changed' | 'disabled' | 'folder';

/** Functions to look up a client's trust. They are passed in, so that a hook loads no parser and no `crypto`. */
export interface TrustFiles {
  /** Reads a JSON or TOML file; a missing file is an empty object. */
  readonly read: (path: string) => JsonObject;
  readonly sha256: (text: string) => string;
}

/** Matches our hook command in a client's file, quoted or not, with any path. */
export function ourCommand(client: string): RegExp {
  return new RegExp(`sekisho'? hook [a-z-]+ --client ${client}\\b`);
}

/** A client's hook protocol: its names for events and tools, and the format of its input and output. */
export interface AgentHook {
  /** The variable that gives hooks the project folder. An agent's shell may have changed its directory. */
  readonly projectFolder?: string;
  /** Other clients whose hook files this client also runs, and a test for input that comes from this client. */
  readonly sharedFiles?: { readonly clients: readonly string[]; isOwn(raw: JsonObject): boolean };
  /** Our events by the client's names. */
  readonly events: Readonly<Record<string, HookEvent>>;
  read(raw: JsonObject): HookInput;
  /** Formats the output. Some clients need output even for "no opinion". */
  write(answer: HookAnswer): string;
}
