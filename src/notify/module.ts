import { defineModule } from '../kernel/module.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

/** Tells other services what waits, failed, is blocked or is finished. */
export const notify = defineModule({
  name: 'notify',
  settings,
  tables,
  restored: async (restoring) => (await import('./restored.ts')).restored(restoring),
  catalogue: async () => (await import('./operations.ts')).catalogue,
});
