import { defineTable, type Table } from '../kernel/store/table.ts';

// The last known tools, shown while an upstream is locked or down.
const catalog = defineTable({
  name: 'upstream_catalog',
  columns: {
    project: 'text not null',
    upstream: 'text not null',
    tools: 'text not null',
    left_out: 'text not null',
    server: 'text not null',
    at: 'text not null',
  },
  key: ['project', 'upstream'],
  volatile: 'all',
});

// Unlocked upstreams by principal and client, for the era without sessions.
const activation = defineTable({
  name: 'upstream_activation',
  columns: {
    project: 'text not null',
    upstream: 'text not null',
    client: 'text not null',
    at: 'text not null',
    used_at: 'text not null',
  },
  key: ['project', 'upstream', 'client'],
  volatile: ['used_at'],
});

// The state of each upstream in each server process, and the process that the server started for it.
const link = defineTable({
  name: 'upstream_link',
  columns: {
    id: 'text not null',
    host: 'text not null',
    owner_pid: 'bigint not null',
    owner_started: 'text not null',
    project: 'text not null',
    upstream: 'text not null',
    state: 'text not null',
    cause: 'text',
    reconnects: 'bigint not null',
    marker: 'text',
    pid: 'bigint',
    pid_started: 'text',
    since: 'text not null',
  },
  key: ['id'],
  volatile: 'all',
  indexes: { by_host: 'host, owner_pid' },
});

export const tables: readonly Table[] = [catalog, activation, link];
