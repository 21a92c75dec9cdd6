import type { LaunchHost } from './fleet-context.ts';
import type { RoleEntry } from './role/roles.ts';

declare module '../kernel/problem.ts' {
  interface Problems {
    GROUP_NOT_FOUND: { groupId: string };
    GROUP_NOT_ACTIVE: { groupId: string };
    GROUP_HAS_RUNNING_AGENTS: { groupId: string; live: number };
    MODE_MISMATCH: { groupId: string; mode: string; wanted: string };
    ROLE_NOT_FOUND: { role: string; known: readonly string[] };
    ROLE_UNAVAILABLE: { role: string; reason: string; remedy: string };
    MAX_CONCURRENT_REACHED: { live: number; wanted: number; max: number };
    AGENT_NOT_FOUND: { agentId: string };
    /** It waits for its stage, so there is nothing to report yet. */
    AGENT_NOT_STARTED: { agentId: string };
    EMPTY_AGENTS: Record<never, never>;
    EMPTY_AGENT_IDS: Record<never, never>;
    EMPTY_STAGES: Record<never, never>;
    EMPTY_STAGE_TASKS: { stage: number };
    AGENTS_START_FAILED: { reason: string };
    SEQUENTIAL_START_FAILED: { reason: string };
  }
  interface Refusals {
    /** A connection with an identity reports for itself only. */
    report: { identity: string; agentId: string };
    /** `identity: required`, and this connection has none. */
    unidentified: { agentId: string };
  }
  interface Phrases {
    'agent.host-died': { machine: string };
    'agent.host-missing': { machine: string };
    'agent.machine-silent': { machine: string };
    'agent.stage-failed': { stage: number };
    'agent.timed-out': { ms: number };
    'agent.cancelled': Record<never, never>;
    'agent.host-stopped': { signal: string };
    'agent.exit': { code: number | null; signal: string | null };
    'agent.not-installed': { program: string; remedy: string };
    'agent.not-started': { reason: string };
    'agent.claimed-elsewhere': Record<never, never>;
    'agent.strays': { count: number };
    'agent.denied': { tools: string };
    'agent.agent-id-missing': Record<never, never>;
    'group.no-folder': { path: string };
    'group.plan-running': { groupId: string };
    'group.contended': Record<never, never>;
    'prompt.report': { agentId: string };
    'prompt.earlier': Record<never, never>;
    'prompt.stage': { stage: number };
    'prompt.created': Record<never, never>;
    'prompt.edited': Record<never, never>;
    'prompt.error': Record<never, never>;
    'role.missing-program': { program: string };
    'role.broken-program': { program: string; reason: string };
    'role.install': { command: string };
    'role.no-answer': { ms: number };
    'role.prompt-failed': { reason: string };
    'log.dropped': { bytes: number };
    'log.elsewhere': { machine: string };
  }
}

export interface FleetSettings {
  readonly maxConcurrent: number;
  readonly defaultTimeoutMs: number;
  readonly isolation: 'none' | 'worktree';
  /** What becomes of a worktree in which something changed: kept as it is, or committed to its branch and removed. */
  readonly worktrees: 'keep' | 'commit';
  /** Prompts that cost a model call may run in the background too. */
  readonly healthPrompts: boolean;
  readonly roles: readonly RoleEntry[];
  /** Where programs are looked for. */
  readonly path: string;
}

declare module '../kernel/context.ts' {
  interface Settings {
    readonly fleet: FleetSettings;
  }
  interface Ports {
    readonly fleet: { readonly launch: LaunchHost };
    /** The identities that the work module keeps; nobody offers any where it is absent. */
    readonly profiles?: (context: Context) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  }
}
