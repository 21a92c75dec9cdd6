import type { CallbackCall } from '../../kernel/callback.ts';
import type { SandboxSetting } from '../../sandbox/port.ts';
import type { TreeSetup } from '../../change/index.ts';
import type { Project } from '../../kernel/context.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import type { Permissions } from '../agent-cli.ts';

/**
 * Callbacks of another module in the same commits as the host's own: `start` with the claim (a conflict means that the
 * agent must not run), `beat` with each heartbeat, `end` when the child has ended or the host was found dead.
 */
export interface Callbacks {
  readonly leaseMs: number;
  readonly start: CallbackCall;
  /** Its writes change volatile columns only, because a heartbeat has no journal entry. */
  readonly beat: CallbackCall;
  readonly end: CallbackCall;
}

/** Parameters of an agent's run. They are fixed when the agent is requested, so a host needs no configuration. */
export interface Spec {
  /** Only for `command` agents. */
  readonly command?: readonly string[];
  readonly permissions: Permissions;
  readonly systemPrompt?: string;
  readonly toolsets: readonly Toolset[];
  /** The role of its connection to us. */
  readonly actorRole: string;
  /** The default run of its calls. */
  readonly runId?: string;
  /** Runs that bind the caller who requested it; they bind the agent too. */
  readonly boundBy?: readonly string[];
  /** The id of the change whose tree it works in; absent if it has no tree of its own. */
  readonly change?: string;
  /** How that tree is prepared. */
  readonly setup?: TreeSetup;
  readonly sandbox: SandboxSetting;
  readonly place: Project;
  /** The identity of its connection, if it is not the agent's id. */
  readonly identity?: string;
  readonly callbacks?: Callbacks;
  /** It needs variables that are stored nowhere, so only the process that requested it can start its host. */
  readonly secrets?: true;
}
