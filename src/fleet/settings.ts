import type { Context } from '../kernel/context.ts';
import { currentSettings } from '../kernel/current-settings.ts';
import { choice, count, defineSettings, flag, longestTimerMs, structure, text } from '../kernel/setting.ts';
import type { RoleEntry } from './role/roles.ts';

/** The fleet's settings. Each is a variable too: `fleet.maxConcurrent` is SEKISHO_FLEET_MAX_CONCURRENT. */
export const settings = defineSettings({
  fleet: {
    maxConcurrent: count(10),
    defaultTimeoutMs: count(1_800_000, { to: longestTimerMs }),
    isolation: choice(['none', 'worktree'], 'none'),
    /** Accepted from older configurations; it has no effect. */
    worktrees: text({ env: null }),
    /** Health checks in the background may use prompts, which cost a model call. */
    healthPrompts: flag(false),
  },
  roles: structure<readonly RoleEntry[]>([], async () => (await import('./settings-schema.ts')).rolesSchema),
});

/** Reads the settings a person trusted last, so that a new role needs no restart. */
export async function fleetSettings(context: Pick<Context, 'settings' | 'ports'>) {
  return settings.of({ settings: await currentSettings.of(context)(context) });
}

/** Whether agents without a role of their own work in trees of their own. */
export function fleetIsolation(context: Pick<Context, 'settings'>): 'none' | 'worktree' {
  return settings.of(context).fleet.isolation;
}
