import type { RestoredWrites } from '../../kernel/store/restoring.ts';

/** Locks all upstreams again and deletes the links: after a restore no process has a connection. */
export const restored: RestoredWrites = async () => [
  { sql: 'delete from upstream_activation', args: {} },
  { sql: 'delete from upstream_link', args: {} },
];
