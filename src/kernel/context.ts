import type { RunCallback } from './callback.ts';
import type { Callers } from './callers.ts';
import type { Environment } from '../base/environment.ts';
import type { Voice } from './exchange.ts';
import type { Ports } from './port.ts';
import type { Configured } from './setting.ts';
import type { Store } from './store/store.ts';
import type { FileTrust, TrustedFiles } from './trust.ts';
import type { Lang, Say } from './text/text.ts';

/** The acting identity. `id` is an authenticated identity, else the operating-system user or the token's owner. */
export interface Actor {
  readonly role: string;
  readonly id: string;
  /** False if the connection did not prove its identity. */
  readonly verified: boolean;
  /** Whether it was proved that this is a person. `role` alone proves nothing. */
  readonly person: boolean;
  /** The key of the user database that this person is in. With `person: false`, the store has not admitted that database. */
  readonly userDatabase?: string;
}

export interface Project {
  /** The key of this project's runs, tasks and phases: `projectKey` of the configuration, else the root's path. */
  readonly key: string;
  /** The main checkout, which determines identity, store, trust and configuration. */
  readonly root: string;
  /** The checkout, worktree or folder of the caller, in which files are looked up. */
  readonly tree: string;
  /** `.sekisho/` of the main checkout, with files for version control. It need not exist. */
  readonly home: string;
  /** The folder of Sekisho's own files for this project's store: logs, launch files of agents. */
  readonly state: string;
  /** The folder for worktrees of agents. It is outside of the state, since agents work in them. */
  readonly worktrees: string;
  /** The trust state of its configuration. */
  readonly configuration: FileTrust;
  /** A person has registered it, so an agent's variables and files cannot redirect it. */
  readonly registered: boolean;
  /** True if the main checkout's run does not bind its worktrees: `gate: { worktrees: own }`. */
  readonly worktreesAlone: boolean;
  /** Its files as a person last trusted them. */
  readonly trusted: () => TrustedFiles;
}

/** One MCP client across all its requests. */
export interface ClientConnection {
  /** One id per client: its session, its pipe, or its principal and name if the protocol has no sessions. */
  readonly id: string;
  /** The key of its upstream connections. If the protocol has no sessions, it survives a restart of the client. */
  readonly shared: string;
  /** The client's own name; undefined if it sends none. */
  readonly name: string | undefined;
  /** The session that this request names; most clients send none. */
  readonly session?: string | undefined;
  readonly era: 'legacy' | 'modern';
  /** The capabilities that it declares: `sampling`, `elicitation`, `roots` … */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Reaches the client while this request runs (2025 era only). */
  readonly voice: Voice | undefined;
  /** Reaches the client outside of requests; undefined if it does not listen. */
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
  /** The settings, which each module reads with its own `settings.of(context)`. */
  readonly settings: Configured;
  readonly ports: Ports;
  readonly callback: RunCallback;
  /** The environment of this process. Programs get it through `inheritableEnvironment`. */
  readonly environment: Environment;
  /** The location by which another process opens the same store. It can contain a password, so it is never shown. */
  readonly database: string;
  /** The default run of calls that name none (`--run-id`, `SEKISHO_RUN_ID`). It binds no caller. */
  readonly runId: string | undefined;
  readonly callers: Callers;
  /** The MCP client that calls; undefined on the command line. */
  readonly connection: ClientConnection | undefined;
  readonly log: Log;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
  now(): Date;
  newId(prefix: string): string;
  readonly lang: Lang;
  readonly say: Say;
  progress(step: Progress): void;
}
