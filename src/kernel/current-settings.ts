import type { Context } from './context.ts';
import { definePort } from './port.ts';
import type { Configured } from './setting.ts';

type CurrentSettings = (context: Pick<Context, 'settings'>) => Promise<Configured>;

/** The current settings: a configuration that a person trusts takes effect without a restart. */
export const currentSettings = definePort<CurrentSettings>('kernel.current-settings', ({ settings }) =>
  Promise.resolve(settings),
);
