import type { AgentMarks } from '../kernel/agent-marks.ts';
import type { Environment } from '../base/environment.ts';
import type { JsonObject } from '../base/json-object.ts';
import type { Lang, Reason } from '../kernel/text/text.ts';
import type { ClientPlaces } from '../sandbox/place.ts';
import type { AgentHook, HookEvent, HookTrust, Invocations, SetupFile, TrustFiles } from './agent-hook.ts';

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
  /** What a line on stderr says. Absent: everything is in the stream. */
  readError?(line: string): readonly Fact[];
}

/** How our own MCP server is started for this agent. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Holds the agent's token: only ever written to a file that is its owner's alone. */
  readonly env: Readonly<Record<string, string>>;
}

/** What an agent may do with files: look, change them, or run commands too. Nobody is there to be asked. */
export const permissions = ['read', 'edit', 'full'] as const;
export type Permissions = (typeof permissions)[number];

export interface Launch {
  readonly model: string | undefined;
  /** Whatever it is, what the process's gate denies stays denied. */
  readonly permissions: Permissions;
  readonly prompt: string;
  readonly systemPrompt: string | undefined;
  readonly workingDirectory: string;
  /** A folder of this agent, its owner's alone; `files` are written there. */
  readonly folder: string;
  /** `command`: the program and its arguments. */
  readonly command: readonly string[] | undefined;
  readonly server: McpServer;
  /** The command line by which it asks us before it uses a tool. */
  readonly hook: (event: HookEvent) => string;
  /** A JSON file with `server.env`; `SEKISHO_ENV_FILE` leads to it where a command line or a shared file must not. */
  readonly envFile: string;
  /** Where it is shut in. */
  readonly confinement: Confinement | undefined;
}

export interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written into the agent's folder before it starts, mode 0600. */
  readonly files: Readonly<Record<string, string>>;
  /** Written into the working directory unless something is there already; holds nothing secret. */
  readonly projectFiles?: Readonly<Record<string, string>>;
  readonly home?: OwnHome;
  readonly stdin: string;
}

/** A home of this agent's own: all that the person's has, by links, but one file with what is ours added to it. */
export interface OwnHome {
  /** By which the CLI finds it, and the person's where that is elsewhere. */
  readonly variable: string;
  readonly folder: string;
  readonly file: string;
  readonly json: JsonObject;
}

/** A session in the sandbox. */
export interface Confinement {
  /** Where `files` can be read inside. Nobody can write there. */
  readonly folder: string;
  /** The daemon's address for this CLI's hooks, and a token that is good for nothing else. */
  readonly hookUrl: string;
  readonly hookToken: string;
  readonly mcp: { readonly command: string; readonly args: readonly string[] };
}

/** Its own sandbox is switched off: inside ours it could not start, and ours takes its place. */
export interface Confined {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** A client in which agents work, whether or not we can start it. What is absent here, it cannot do. */
export interface AgentClient extends AgentMarks {
  /** Undefined for `command`, whose program the role names. */
  readonly program: string | undefined;
  /** What else its program is called, by some of its installers. */
  readonly otherNames?: readonly string[];
  /** How it asks before it uses a tool. Absent: nothing stops its own tools. */
  readonly hook?: AgentHook;
  /**
   * Files and folders, below a project or a home, in which it is told which hooks and servers to start: a change there
   * decides whether it asks. Everything that `setup` writes is among them.
   */
  readonly settings?: readonly string[];
  /** Found in one of those, it switches hooks off, ours with them. */
  readonly hooksOff?: RegExp;
  /** The files that make it start our server and ask us. Absent: there are none. */
  setup?(call: Invocations): readonly SetupFile[];
  /** What reaches our server over HTTP, to be put into this file by hand. `variable` has the token. Absent: nothing is known. */
  remoteServer?(url: string, variable: string): { readonly file: string; readonly text: string };
  /** Files of the project that led a person's client to us in earlier versions: `init` takes our part out of them. */
  formerSetup?(call: Invocations): readonly SetupFile[];
  /** The same files where they came as a plugin of ours that a person switched on; none otherwise. */
  plugin?(call: Invocations): readonly SetupFile[];
  /** The file of a project in which it reads what it is told at every start. */
  readonly instructions?: string;
  /**
   * The files that make it trust a project's folder. That switches on more than us (the project's own hooks, servers and
   * settings, whoever wrote them), so it is a person's choice.
   */
  trustFolder?(call: Invocations): readonly SetupFile[];
  /**
   * What it records about a person's trust in the hook of ours that its files have; undefined where they have none.
   * Absent: it runs hooks that no person confirmed.
   */
  hookTrust?(call: Invocations, files: TrustFiles): HookTrust | undefined;
  /** What stays open as long as nobody has done so. */
  readonly untrusted?: { readonly [L in Lang]: string };
  /** What a person has to do, or to know, before it obeys those files. */
  readonly trust?: { readonly [L in Lang]: string };
}

/** Everything about one agent CLI, which we can start: a file in `agent/` and a line in `agents.ts`. */
export interface AgentCli extends AgentClient {
  readonly install: Reason;
  readonly capabilities: {
    /** A role chooses it, and its answer to a prompt can be checked. */
    readonly model: boolean;
    readonly tokens: boolean;
    readonly cost: boolean;
  };
  /** What it keeps where, for the sandbox. Absent: it has no files of its own. */
  readonly places?: ClientPlaces;
  /** Credentials of other programs that it needs as it is set up (`~/.aws`). All others are hidden from it in the sandbox. */
  credentials?(env: Environment): readonly string[];
  /** The JSON file, in the first folder of its home, whose `env` it adds to its environment. */
  readonly environmentFile?: string;
  /** How a person's `sekisho run` starts it in the sandbox. Absent: as it is, with the project's own files. */
  confine?(session: Confinement): Confined;
  /** `confine` hands it hooks and our server. Absent: in the sandbox its own files have them (`setup`). */
  readonly confineHandsHooks?: true;
  invoke(launch: Launch): Invocation;
  reader(): StreamReader;
  /**
   * What it writes in a project by itself, as it starts or as a person answers it: no guard takes that for an agent's
   * change. Everything else in its settings counts.
   */
  readonly writes?: {
    /** Files and folders that it makes. */
    readonly made?: readonly string[];
    /** JSON files, each with the keys that it sets. */
    readonly keys?: Readonly<Record<string, readonly string[]>>;
  };
}
