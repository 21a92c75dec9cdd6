import type { Migration } from '../engine.ts';

export const phase: Migration = {
  id: 4,
  name: 'phase',
  statements: [
    // Which run holds the phases of a project. The state itself is the run's.
    `create table phase_plan (
      project text primary key,
      run_id text not null references run (id)
    )`,
    `create table phase_checkpoint (
      run_id text not null references run (id),
      n bigint not null,
      phase text not null,
      revision bigint not null,
      checkpoint text not null,
      data text not null,
      actor text not null,
      at text not null,
      primary key (run_id, n)
    )`,
    `create index phase_checkpoint_by_phase on phase_checkpoint (run_id, phase, n)`,
    // The last text that each actor was given, so that the journal has each serving once.
    `create table phase_served (
      run_id text not null references run (id),
      actor text not null,
      prompt text not null,
      revision bigint not null,
      digest text not null,
      primary key (run_id, actor, prompt)
    )`,
    // What sources gave, whoever asked. owner and until: who is asking the source right now.
    `create table prompt_cache (
      source text not null,
      name text not null,
      version text,
      title text,
      content text,
      digest text,
      etag text,
      fetched_at text,
      checked_at text,
      failure text,
      failed_at text,
      owner text,
      until text,
      primary key (source, name)
    )`,
    `create table prompt_version (
      project text not null,
      name text not null,
      version bigint not null,
      title text,
      content text not null,
      digest text not null,
      note text,
      actor text not null,
      at text not null,
      primary key (project, name, version)
    )`,
    `create table prompt_label (
      project text not null,
      name text not null,
      label text not null,
      version bigint not null,
      previous bigint,
      at text not null,
      primary key (project, name, label)
    )`,
  ],
};
