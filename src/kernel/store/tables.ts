import { defineTable, type Table } from './table.ts';

const token = defineTable({
  name: 'token',
  columns: {
    hash: 'text not null',
    role: 'text not null',
    identity: 'text not null',
    label: 'text not null',
    toolsets: 'text',
    created_at: 'text not null',
    expires_at: 'text',
  },
  key: ['hash'],
});

/** The kernel's own tables. */
export const tables: readonly Table[] = [token];
