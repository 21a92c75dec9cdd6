import type { LaunchHost } from './fleet-context.ts';
import type { RoleEntry } from './role/roles.ts';

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
