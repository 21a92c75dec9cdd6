import { type Table, defineTable } from '../kernel/store/table.ts';
import { tables as kernelTables } from '../kernel/store/tables.ts';

/** People beside the operating-system user whose state this is. */
const person = defineTable({
  name: 'person',
  columns: { name: 'text not null', added_by: 'text not null', at: 'text not null' },
  key: ['name'],
});

/** The files of each project as a person saw them last. */
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

/** The folders that hold the program, with the digest of every file, as `init` left them. */
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

/** One-time links to the dashboard that nobody has used yet. */
const link = defineTable({
  name: 'dashboard_link',
  columns: { hash: 'text not null', identity: 'text not null', expires_at: 'text not null' },
  key: ['hash'],
});

/** Browsers that are signed in. Cookie and key are both needed; neither is a token, so neither opens anything else. */
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

/** Of the user's own database: one a machine, also where projects are in PostgreSQL. */
export const tables: readonly Table[] = [...kernelTables, ...ownTables];
