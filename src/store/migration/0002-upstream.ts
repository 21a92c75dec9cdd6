import type { Migration } from '../engine.ts';

export const upstream: Migration = {
  id: 2,
  name: 'upstream',
  statements: [
    // The last known tools, shown while an upstream is locked or down.
    `create table upstream_catalog (
      project text not null,
      upstream text not null,
      tools text not null,
      left_out text not null,
      server text not null,
      at text not null,
      primary key (project, upstream)
    )`,
    // Who unlocked an upstream, where the protocol has no sessions.
    `create table upstream_activation (
      project text not null,
      upstream text not null,
      client text not null,
      at text not null,
      used_at text not null,
      primary key (project, upstream, client)
    )`,
    // What each server process has to do with each upstream, and the process that it started for it.
    `create table upstream_link (
      id text primary key,
      host text not null,
      owner_pid bigint not null,
      owner_started text not null,
      project text not null,
      upstream text not null,
      state text not null,
      cause text,
      reconnects bigint not null,
      marker text,
      pid bigint,
      pid_started text,
      since text not null
    )`,
    `create index upstream_link_by_host on upstream_link (host, owner_pid)`,
  ],
};
