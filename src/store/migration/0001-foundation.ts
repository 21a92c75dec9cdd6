import type { Migration } from '../engine.ts';

/**
 * Column rules that hold on both databases: JSON and timestamps as text, booleans as 0 or 1, whole numbers as bigint.
 * The journal itself belongs to each dialect, because they number it differently.
 */
export const foundation: Migration = {
  id: 1,
  name: 'foundation',
  statements: [
    `create table token (
      hash text primary key,
      role text not null,
      identity text not null,
      label text not null,
      toolsets text,
      created_at text not null,
      expires_at text
    )`,
    `create table definition (
      digest text primary key,
      process_id text not null,
      version text not null,
      name text not null,
      source text not null,
      body text not null,
      at text not null
    )`,
    `create table run (
      id text primary key,
      project text not null,
      process_id text not null,
      process_version text not null,
      definition text not null references definition (digest),
      state text not null,
      revision bigint not null,
      context text not null,
      visited text not null,
      entered bigint not null,
      evidence bigint not null,
      is_final bigint not null,
      chain text not null,
      created_at text not null,
      updated_at text not null
    )`,
    `create index run_by_project on run (project, id)`,
    `create table event (
      run_id text not null references run (id),
      revision bigint not null,
      id text not null,
      name text not null,
      actor text not null,
      role text not null,
      payload text not null,
      artifacts text not null,
      from_state text not null,
      to_state text not null,
      idempotency_key text not null,
      request text not null,
      answer text not null,
      at text not null,
      primary key (run_id, revision)
    )`,
    `create unique index event_by_key on event (run_id, idempotency_key)`,
    `create index event_by_name on event (run_id, name, revision)`,
    `create table artifact (
      run_id text not null references run (id),
      path text not null,
      version bigint not null,
      type text,
      digest text not null,
      size bigint not null,
      actor text not null,
      revision bigint not null,
      at text not null,
      primary key (run_id, path)
    )`,
    `create table artifact_version (
      run_id text not null references run (id),
      path text not null,
      version bigint not null,
      type text,
      digest text not null,
      size bigint not null,
      actor text not null,
      revision bigint not null,
      at text not null,
      primary key (run_id, path, version)
    )`,
    `create table current_run (
      project text primary key,
      run_id text not null references run (id)
    )`,
    // Who else than the project holds a run: a connection, or an instance of an agent, while it works on that run's task.
    `create table run_holder (
      holder text primary key,
      run_id text not null references run (id)
    )`,
    `create table trust (
      digest text primary key,
      file text not null,
      actor text not null,
      at text not null
    )`,
  ],
};
