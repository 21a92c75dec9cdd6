import type { RestoredWrites } from '../kernel/store/restoring.ts';

/** Deletes the deliveries of the backup, because they were probably sent since. Reading starts again at the end of the journal. */
export const restored: RestoredWrites = async () => [
  { sql: 'delete from notify_delivery', args: {} },
  { sql: 'delete from notify_reader', args: {} },
];
