import { type Table, defineTable } from '../kernel/store/table.ts';
import { tables as kernelTables } from '../kernel/store/tables.ts';

/** People other than the operating-system user who owns this database. */
const person = defineTable({
  name: 'person',
  columns: { name: 'text not null', added_by: 'text not null', at: 'text not null' },
  key: ['name'],
});

const trust = defineTable({
  name: 'trust',
  columns: {
    project: 'text not null',
    file: 'text not null',
    digest: 'text not null',
    text: 'text not null',
    actor: 'text not null',
    at: 'text not null',
  },
  key: ['project', 'file'],
});

/** The folders of the program with the digest of each file, as `init` recorded them. */
const program = defineTable({
  name: 'program',
  columns: {
    folder: 'text not null',
    version: 'text not null',
    files: 'text not null',
    actor: 'text not null',
    at: 'text not null',
  },
  key: ['folder'],
});

const link = defineTable({
  name: 'dashboard_link',
  columns: { hash: 'text not null', identity: 'text not null', expires_at: 'text not null' },
  key: ['hash'],
});

/** Browser sessions. A request needs both cookie and key; neither is a token, so they open nothing else. */
const session = defineTable({
  name: 'dashboard_session',
  columns: {
    hash: 'text not null',
    key_hash: 'text not null',
    identity: 'text not null',
    browser: 'text not null',
    created_at: 'text not null',
    idle_until: 'text not null',
    expires_at: 'text not null',
  },
  key: ['hash'],
});

export const ownTables: readonly Table[] = [person, trust, program, link, session];

/** The tables of the user's database: one per user and machine, even if projects are in PostgreSQL. */
export const tables: readonly Table[] = [...kernelTables, ...ownTables];
