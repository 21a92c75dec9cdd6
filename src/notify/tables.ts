import { defineTable, type Table } from '../kernel/store/table.ts';

/** The read position in the journal per project, and the lease of the sender. */
const reader = defineTable({
  name: 'notify_reader',
  columns: {
    project: 'text not null',
    after_seq: 'bigint not null',
    /** JSON with the machine, the process and the id of the sender in it. */
    holder: 'text not null',
    until: 'text not null',
  },
  key: ['project'],
  volatile: 'all',
});

const delivery = defineTable({
  name: 'notify_delivery',
  columns: {
    id: 'text not null',
    project: 'text not null',
    target: 'text not null',
    seq: 'bigint not null',
    message: 'text not null',
    attempts: 'bigint not null',
    next_at: 'text not null',
    created_at: 'text not null',
  },
  key: ['id'],
  volatile: 'all',
  indexes: { by_due: 'project, next_at' },
});

export const tables: readonly Table[] = [reader, delivery];
