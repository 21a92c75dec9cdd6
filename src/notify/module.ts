import { defineModule } from '../kernel/module.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

/** Tells other services what waits, failed, is blocked or is finished. */
export const notify = defineModule({
  name: 'notify',
  settings,
  tables,
  catalogue: async () => (await import('./operations.ts')).catalogue,
});
