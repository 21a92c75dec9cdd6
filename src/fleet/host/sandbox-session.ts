import type { Confine, SandboxSetting } from '../../sandbox/port.ts';
import type { Project } from '../../kernel/context.ts';
import type { RepositoryWatch } from '../../sandbox/repositories.ts';
import type { Confinement } from '../agent-cli.ts';

/** An agent that may need a sandbox. */
export interface SandboxedAgent {
  readonly place: Project;
  readonly wish: SandboxSetting;
  /** The only folder that is writable inside. */
  readonly tree: string;
  /** The id of the agent's CLI. */
  readonly client: string;
  /** Environment of the agent's own server: its token, run and project. */
  readonly server: Readonly<Record<string, string | undefined>>;
  /** Receives git repositories that appear in the agent's tree. */
  readonly watch: Omit<RepositoryWatch, 'env'>;
}

/** The sandbox of one agent. */
export interface SandboxSession {
  /** The session's folder outside the sandbox; `session.folder` is the same folder inside. */
  readonly folder: string;
  readonly session: Confinement;
  readonly confine: Confine;
  /** 2 if the sandbox does not keep the store out of reach. */
  readonly ring: 2 | 3;
  close(): Promise<void>;
}

/** Opens an agent's sandbox; undefined if the agent needs none. */
export type OpenSandboxSession = (inmate: SandboxedAgent) => Promise<SandboxSession | undefined>;
