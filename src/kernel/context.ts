import type { RunCallback } from './callback.ts';
import type { Callers } from './callers.ts';
import type { Environment } from '../base/environment.ts';
import type { Voice } from './exchange.ts';
import type { Ports } from './port.ts';
import type { Configured } from './setting.ts';
import type { Store } from './store/store.ts';
import type { FileTrust, TrustedFiles } from './trust.ts';
import type { Lang, Say } from './text/text.ts';

/** Who is acting. `id` is an authenticated identity, else the operating-system user or the token's owner. */
export interface Actor {
  readonly role: string;
  readonly id: string;
  /** False where the connection did not prove who it is. */
  readonly verified: boolean;
  /** A person, which was proved: `role` alone says nothing. */
  readonly person: boolean;
  /** The key of the user database that knows this person. With `person: false`: the store has not admitted it. */
  readonly userDatabase?: string;
}

export interface Project {
  /** What runs, tasks and phases of this project are filed under: `projectKey` of the configuration, else the root's path. */
  readonly key: string;
  /** The main checkout: identity, store, trust and configuration are its. */
  readonly root: string;
  /** The checkout, worktree or folder that the caller is in: files are looked up there. */
  readonly tree: string;
  /** `.sekisho/` of the main checkout, with files for version control. It need not exist. */
  readonly home: string;
  /** Where Sekisho keeps its own files of this project's store: logs, what agents are started with. */
  readonly state: string;
  /** Where worktrees of agents are made. */
  readonly worktrees: string;
  /** How its configuration stands to what a person saw. */
  readonly configuration: FileTrust;
  /** A person prepared it: what agents bring along cannot lead it elsewhere. */
  readonly registered: boolean;
  /** The main checkout's run does not bind its worktrees: `gate: { worktrees: own }`. */
  readonly worktreesAlone: boolean;
  /** Its files as a person saw them last. */
  readonly trusted: () => TrustedFiles;
}

/** One MCP client as a whole, of which a call is one request. */
export interface ClientConnection {
  /**
   * The same for all its requests, and no other client's where that can be told: its session, its pipe, or its principal and
   * name where the protocol has no sessions.
   */
  readonly id: string;
  /** What it opens upstream is open under this: where the protocol has no sessions, the same after it was started anew. */
  readonly shared: string;
  /** What it calls itself; undefined where it does not say. */
  readonly name: string | undefined;
  /** The session that this request says it belongs to; most clients say nothing. */
  readonly session?: string | undefined;
  readonly era: 'legacy' | 'modern';
  /** What it says it can do: `sampling`, `elicitation`, `roots` … */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** To the client while this request runs: 2025 era only. */
  readonly voice: Voice | undefined;
  /** To the client outside of any request; undefined where it does not listen, or cannot. */
  readonly standing: () => Voice | undefined;
}

export interface Log {
  error(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  debug(message: string, fields?: object): void;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Everything an operation may use. There is no other way to reach the outside. */
export interface Context {
  readonly store: Store;
  readonly actor: Actor;
  readonly project: Project;
  /** What each module reads with its own `settings.of(context)`. */
  readonly settings: Configured;
  readonly ports: Ports;
  readonly callback: RunCallback;
  /** What this process was started with; programs get it as `inherited`. */
  readonly environment: Environment;
  /** How another process opens the same store. May hold a password: never shown. */
  readonly database: string;
  /** The run that this call speaks of where it names none (`--run-id`, `SEKISHO_RUN_ID`). It binds nobody. */
  readonly runId: string | undefined;
  readonly callers: Callers;
  /** The MCP client that calls; undefined on the command line. */
  readonly connection: ClientConnection | undefined;
  readonly log: Log;
  /** Aborts when nobody waits for this any more. */
  readonly signal: AbortSignal;
  now(): Date;
  newId(prefix: string): string;
  readonly lang: Lang;
  readonly say: Say;
  progress(step: Progress): void;
}
