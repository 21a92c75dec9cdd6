import type { JsonObject } from '../base/json-object.ts';

/** What a client can ask about, in our words. */
export const hookEvents = ['pre-tool-use', 'post-tool-use', 'session-start', 'stop'] as const;

export type HookEvent = (typeof hookEvents)[number];

export interface ToolUse {
  /** As the client spells it. */
  readonly name: string;
  /** Every name by which a process may mean it: canonical ones, the client's own, `mcp__server__tool`, the bare tool. */
  readonly names: readonly string[];
  readonly input: JsonObject;
  /** The client's id of this one call, where it has such ids. */
  readonly id: string | undefined;
}

/** A hook's stdin, whoever wrote it. */
export interface HookInput {
  readonly tool: ToolUse | undefined;
  readonly cwd: string | undefined;
  readonly session: string | undefined;
  /** Why a session starts: startup, resume, clear, compact … */
  readonly source: string | undefined;
  /** The agent is already going on because a stop hook told it to. */
  readonly repeated: boolean;
  /** When the client says that it asked. One that runs another's hooks beside its own asks both at the same moment. */
  readonly moment?: number;
  /** Somebody sits there who can be asked, and the client honours the question. */
  readonly canAsk: boolean;
}

export type HookAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'deny' | 'ask'; readonly reason: string }
  | { readonly kind: 'context'; readonly text: string }
  /** The agent shall not stop yet. */
  | { readonly kind: 'block'; readonly reason: string };

/** A file that makes the client call us, by its absolute path. What is in it of others stays. */
export type SetupFile =
  /** Of a list only our own entry is replaced or added. */
  | { readonly path: string; readonly json: JsonObject }
  | { readonly path: string; readonly table: string; readonly keys: JsonObject }
  /** Those that are missing are added. */
  | { readonly path: string; readonly lines: readonly string[] }
  /** The whole file is ours. */
  | { readonly path: string; readonly text: string };

export interface Invocations {
  /** The command line for a shell. */
  hook(event: HookEvent): string;
  readonly mcp: { readonly command: string; readonly args: readonly string[] };
  /** A person's own files, or those of the project's version control. */
  readonly scope: 'own' | 'shared';
  /** The folder in which the client is started. */
  readonly tree: string;
  /** The top of the main checkout that it belongs to; the folder itself where there is no git. */
  readonly repository: string;
  /** A folder of the user's home, or where this variable says it is instead. */
  home(folder: string, variable?: string): string;
}

/**
 * What a client's own files record about a person's trust in our hook. `changed`: trusted once, and another command since.
 * `folder`: the hook is the project's, and the client reads nothing from a folder that it does not trust.
 */
export type HookTrust = 'trusted' | 'untrusted' | 'changed' | 'disabled' | 'folder';

/** How a client's trust is looked up. A hook loads every client, and neither a parser nor `crypto`. */
export interface TrustFiles {
  /** The JSON or TOML of a file, empty where there is none. */
  readonly read: (path: string) => JsonObject;
  readonly sha256: (text: string) => string;
}

/** Our command in a client's file, wherever it leads: in quotes or not. */
export function ourCommand(client: string): RegExp {
  return new RegExp(`sekisho'? hook [a-z-]+ --client ${client}\\b`);
}

/** A CLI's words for events and tools, and the shapes of its questions and answers. */
export interface AgentHook {
  /** The variable in which it tells a hook where the project is: an agent's shell may have gone elsewhere. */
  readonly projectFolder?: string;
  /** The clients whose hook files it reads beside its own, and how its questions are told from theirs. */
  readonly sharedFiles?: { readonly clients: readonly string[]; isOwn(raw: JsonObject): boolean };
  /** Its names of our events. */
  readonly events: Readonly<Record<string, HookEvent>>;
  read(raw: JsonObject): HookInput;
  /** What to print; a client may need an answer even where there is no opinion. */
  write(answer: HookAnswer): string;
}
