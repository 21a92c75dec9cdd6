import type { Confine, SandboxSetting } from '../../sandbox/port.ts';
import type { Project } from '../../kernel/context.ts';
import type { RepositoryWatch } from '../../sandbox/repositories.ts';
import type { Confinement } from '../agent-cli.ts';

/** An agent that may have to be shut in. */
export interface SandboxedAgent {
  readonly place: Project;
  readonly wish: SandboxSetting;
  /** The only folder that is writable inside. */
  readonly tree: string;
  /** The id of its CLI. */
  readonly client: string;
  /** What its own server would be started with: its token, its run, its project. */
  readonly server: Readonly<Record<string, string | undefined>>;
  /** Hears of git repositories that appear in its tree. */
  readonly watch: Omit<RepositoryWatch, 'env'>;
}

/** The sandbox around one agent. */
export interface SandboxSession {
  /** The folder of its session out here; `session.folder` is the same inside. */
  readonly folder: string;
  readonly session: Confinement;
  readonly confine: Confine;
  /** 2 where it does not keep the store out of reach. */
  readonly ring: 2 | 3;
  close(): Promise<void>;
}

/** Undefined where it is not to be shut in. */
export type OpenSandboxSession = (inmate: SandboxedAgent) => Promise<SandboxSession | undefined>;
