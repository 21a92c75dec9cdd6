import type { RestoredWrites } from '../../kernel/store/restoring.ts';

/** Upstreams are locked again, and no process has a connection. */
export const restored: RestoredWrites = async () => [
  { sql: 'delete from upstream_activation', args: {} },
  { sql: 'delete from upstream_link', args: {} },
];
