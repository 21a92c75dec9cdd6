import { type Configured, defineSettings, structure } from '../kernel/setting.ts';
import type { Target } from './settings-schema.ts';

export type { Target };

export const settings = defineSettings({
  notify: structure<readonly Target[]>([], async () => (await import('./settings-schema.ts')).targetsSchema, {
    unset: 'as written',
  }),
});

export function hasTargets(configured: { readonly settings: Configured }): boolean {
  return settings.of(configured).notify.length > 0;
}
