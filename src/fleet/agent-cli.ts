import type { AgentMarks } from '../kernel/agent-marks.ts';
import type { Environment } from '../base/environment.ts';
import type { JsonObject } from '../base/json-object.ts';
import type { Lang, Reason } from '../kernel/text/text.ts';
import type { ClientPlaces } from '../sandbox/place.ts';
import type { AgentHook, HookEvent, HookTrust, Invocations, SetupFile, TrustFiles } from './agent-hook.ts';

/** One fact from a line of an agent's output, in the same form for every CLI. */
export type Fact =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string; readonly change: 'created' | 'edited' | 'deleted' }
  | { readonly kind: 'denied'; readonly tool: string }
  /** A message of the agent; the last one is its answer if no `answer` follows. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  /** A line of plain output; the last lines are the answer if the agent said nothing else. */
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string }
  /** Tokens and cost of the whole run, or of one step to add. */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly step?: true }
  /** The work is done, even if the process goes on. */
  | { readonly kind: 'end' };

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly costUsd?: number;
}

/** Reads one agent's stream line by line. A reader keeps state: a result names its call only by id. */
export interface StreamReader {
  read(line: string): readonly Fact[];
  /** Reads a line of stderr. Absent: the stream has everything. */
  readError?(line: string): readonly Fact[];
}

/** The command that starts our own MCP server for this agent. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Holds the agent's token, so it is only written to files that their owner alone can read. */
  readonly env: Readonly<Record<string, string>>;
}

/** What an agent may do: read files, change them, or run commands too. No person answers permission prompts. */
export const permissions = ['read', 'edit', 'full'] as const;
export type Permissions = (typeof permissions)[number];

export interface Launch {
  readonly model: string | undefined;
  /** The process's gate can still deny what these permissions allow. */
  readonly permissions: Permissions;
  readonly prompt: string;
  readonly systemPrompt: string | undefined;
  readonly workingDirectory: string;
  /** This agent's own folder, readable by its owner only; `files` are written there. */
  readonly folder: string;
  /** The program and its arguments, for `command`. */
  readonly command: readonly string[] | undefined;
  readonly server: McpServer;
  /** Builds the command line with which the CLI calls our hook. */
  readonly hook: (event: HookEvent) => string;
  /** A JSON file with `server.env`, where the token must not be in a command line: see `SEKISHO_ENV_FILE`. */
  readonly envFile: string;
  /** The sandbox session; undefined outside a sandbox. */
  readonly confinement: Confinement | undefined;
}

export interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files written into the agent's folder before it starts, mode 0600. */
  readonly files: Readonly<Record<string, string>>;
  /** Files written into the working directory unless they exist. They contain no secrets. */
  readonly projectFiles?: Readonly<Record<string, string>>;
  readonly home?: OwnHome;
  readonly stdin: string;
}

/** A separate home for this agent: links to the person's home, and a copy of one file with our settings added. */
export interface OwnHome {
  /** The variable that tells the CLI where its home is; the person's home is read from it too. */
  readonly variable: string;
  readonly folder: string;
  readonly file: string;
  readonly json: JsonObject;
}

/** A session in the sandbox. */
export interface Confinement {
  /** The folder where `files` can be read inside the sandbox. It is read-only there. */
  readonly folder: string;
  /** The daemon's address for this CLI's hooks, and a token that is valid for nothing else. */
  readonly hookUrl: string;
  readonly hookToken: string;
  readonly mcp: { readonly command: string; readonly args: readonly string[] };
}

/** Arguments and files that start a CLI in our sandbox, in which the CLI's own sandbox cannot start. */
export interface Confined {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** A client in which agents work. An absent field means that the client cannot do it. */
export interface AgentClient extends AgentMarks {
  /** The client's program. Undefined for `command`: the role names its program. */
  readonly program: string | undefined;
  /** Other names that some installers give the program. */
  readonly otherNames?: readonly string[];
  /** The hook protocol of the client. Absent: nothing stops its own tools. */
  readonly hook?: AgentHook;
  /**
   * Files and folders, below a project or a home, that tell the client which hooks and servers to start. A change there
   * decides whether it calls our hook. Everything that `setup` writes is among them.
   */
  readonly settings?: readonly string[];
  /** Matches a setting in those files that switches off hooks, including ours. */
  readonly hooksOff?: RegExp;
  /** Returns the files that make the client start our server and call our hook. Absent: there are none. */
  setup?(call: Invocations): readonly SetupFile[];
  /** Returns the entry for our server over HTTP, for a person to paste into `file`. `variable` holds the token. */
  remoteServer?(url: string, variable: string): { readonly file: string; readonly text: string };
  /** Returns the project files that earlier versions wrote for a person's client. `init` removes our part from them. */
  formerSetup?(call: Invocations): readonly SetupFile[];
  /** Returns the `setup` files when a person installed and enabled them as our plugin; otherwise none. */
  plugin?(call: Invocations): readonly SetupFile[];
  /** The project file with instructions that the client reads at every start. */
  readonly instructions?: string;
  /**
   * Returns the files that make the client trust a project's folder. This also enables the project's own hooks, servers
   * and settings, so a person must choose it.
   */
  trustFolder?(call: Invocations): readonly SetupFile[];
  /**
   * Reads whether a person has trusted our hook in the client's files; undefined if the files have no hook of ours.
   * Absent: the client runs hooks that no person confirmed.
   */
  hookTrust?(call: Invocations, files: TrustFiles): HookTrust | undefined;
  /** A note on the gap that stays open until a person has trusted the hook. */
  readonly untrusted?: { readonly [L in Lang]: string };
  /** A note on steps a person must take, or facts to know, before the client obeys those files. */
  readonly trust?: { readonly [L in Lang]: string };
}

/** Everything about one agent CLI that we can start. Each is a file in `agent/` and a line in `agents.ts`. */
export interface AgentCli extends AgentClient {
  readonly install: Reason;
  /** A role can choose the model, and a health check can test it with a prompt. */
  readonly choosesModel: boolean;
  /** The CLI's own files and folders, for the sandbox. Absent: it has none. */
  readonly places?: ClientPlaces;
  /** Returns the other programs' credentials that the CLI needs (`~/.aws`). The sandbox hides all others. */
  credentials?(env: Environment): readonly string[];
  /** The JSON file, in the first folder of the CLI's home, whose `env` the CLI adds to its environment. */
  readonly environmentFile?: string;
  /** Returns how `sekisho run` starts the CLI in the sandbox. Absent: unchanged, with the project's own files. */
  confine?(session: Confinement): Confined;
  /** `confine` passes our hooks and server. Absent: in the sandbox the CLI's own files contain them (`setup`). */
  readonly confineHandsHooks?: true;
  invoke(launch: Launch): Invocation;
  reader(): StreamReader;
  /**
   * Changes the CLI itself makes in a project, at its start or when a person answers a prompt. Guards do not treat them
   * as the agent's changes; any other change in its settings counts.
   */
  readonly writes?: {
    /** Files and folders that the CLI creates. */
    readonly made?: readonly string[];
    /** JSON files, each with the keys that the CLI sets. */
    readonly keys?: Readonly<Record<string, readonly string[]>>;
  };
}
