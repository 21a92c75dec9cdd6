import { defineModule } from '../kernel/module.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

/** Sends notifications about waiting, failed, blocked and finished work to other services. */
export const notify = defineModule({
  name: 'notify',
  settings,
  tables,
  // The deliveries of the backup were probably sent since. Reading starts again at the end of the journal.
  restored: async () => [
    { sql: 'delete from notify_delivery', args: {} },
    { sql: 'delete from notify_reader', args: {} },
  ],
  catalogue: async () => (await import('./operations.ts')).catalogue,
});
