import type { Context } from './context.ts';
import { definePort } from './port.ts';
import type { Configured } from './setting.ts';

type CurrentSettings = (context: Pick<Context, 'settings'>) => Promise<Configured>;

/** The settings as they are now: what a person has trusted since this process began counts without a restart. */
export const currentSettings = definePort<CurrentSettings>('kernel.current-settings', ({ settings }) =>
  Promise.resolve(settings),
);
