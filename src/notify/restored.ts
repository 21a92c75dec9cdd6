import type { RestoredWrites } from '../kernel/store/restoring.ts';

/** What waited to be sent when the backup was made has probably been sent since. Reading begins again at the end of the journal. */
export const restored: RestoredWrites = async () => [
  { sql: 'delete from notify_delivery', args: {} },
  { sql: 'delete from notify_reader', args: {} },
];
