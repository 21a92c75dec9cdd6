import type { Context } from '../kernel/context.ts';
import { currentSettings } from '../kernel/current-settings.ts';
import { choice, count, defineSettings, flag, longestTimerMs, structure } from '../kernel/setting.ts';
import type { RoleEntry } from './role/roles.ts';

/** In the shape of the file. Each is a variable too: `fleet.maxConcurrent` is SEKISHO_FLEET_MAX_CONCURRENT. */
export const settings = defineSettings({
  fleet: {
    maxConcurrent: count(10),
    defaultTimeoutMs: count(1_800_000, { to: longestTimerMs }),
    isolation: choice(['none', 'worktree'], 'none'),
    /** What becomes of a worktree in which something changed: kept as it is, or committed to its branch and removed. */
    worktrees: choice(['keep', 'commit'], 'keep'),
    /** Prompts that cost a model call may run in the background too. */
    healthPrompts: flag(false),
  },
  roles: structure<readonly RoleEntry[]>([], async () => (await import('./settings-schema.ts')).rolesSchema),
});

/** As a person trusted it last: a role that was added needs no restart. */
export async function fleetSettings(context: Pick<Context, 'settings' | 'ports'>) {
  return settings.of({ settings: await currentSettings.of(context)(context) });
}
