import { defineModule } from '../kernel/module.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

/** Sends notifications about waiting, failed, blocked and finished work to other services. */
export const notify = defineModule({
  name: 'notify',
  settings,
  tables,
  restored: async (restoring) => (await import('./restored.ts')).restored(restoring),
  catalogue: async () => (await import('./operations.ts')).catalogue,
});
