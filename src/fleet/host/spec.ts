import type { CallbackCall } from '../../kernel/callback.ts';
import type { SandboxSetting } from '../../sandbox/port.ts';
import type { Project } from '../../kernel/context.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import type { Permissions } from '../agent-cli.ts';

/**
 * What another module wants done in the same commits as the host's own: `start` with the claim (a conflict there means that
 * the agent must not run), `beat` with each sign of life, `end` when the child has ended or the host was found dead.
 */
export interface Callbacks {
  readonly leaseMs: number;
  readonly start: CallbackCall;
  readonly beat: CallbackCall;
  readonly end: CallbackCall;
}

/** How an agent is to be run, decided when it was asked for, so that a host needs no configuration. */
export interface Spec {
  /** Of `command` agents. */
  readonly command?: readonly string[];
  readonly permissions: Permissions;
  readonly systemPrompt?: string;
  readonly toolsets: readonly Toolset[];
  /** The role that its connection back to us has. */
  readonly actorRole: string;
  /** The run that it speaks of where it names none. */
  readonly runId?: string;
  /** The runs that bound whoever asked for it: they bind it too. */
  readonly boundBy?: readonly string[];
  readonly isolation: 'none' | 'worktree';
  readonly worktrees: 'keep' | 'commit';
  readonly sandbox: SandboxSetting;
  readonly place: Project;
  /** Where the identity of its connection is not its own id. */
  readonly identity?: string;
  readonly callbacks?: Callbacks;
  /** It needs variables that are kept nowhere: only who asked for it can start its host. */
  readonly secrets?: true;
}
