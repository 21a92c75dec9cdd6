import type { Migration } from '../engine.ts';

/**
 * `revision` moves with every change of state and settles races; progress moves `beat` alone. `ord` is a time-ordered id,
 * because an agent's own id sorts by its role.
 */
export const fleet: Migration = {
  id: 3,
  name: 'fleet',
  statements: [
    `create table fleet_group (
      id text primary key,
      ord text not null,
      project text not null,
      description text not null,
      mode text,
      status text not null,
      revision bigint not null,
      created_at text not null
    )`,
    `create index fleet_group_by_project on fleet_group (project, ord)`,
    `create table fleet_plan (
      id text primary key,
      group_id text not null references fleet_group (id),
      project text not null,
      machine text not null,
      on_failure text not null,
      room bigint not null,
      stages bigint not null,
      current bigint not null,
      status text not null,
      revision bigint not null,
      created_at text not null,
      moved_at text not null
    )`,
    `create index fleet_plan_by_status on fleet_plan (status)`,
    `create index fleet_plan_by_group on fleet_plan (group_id)`,
    `create table fleet_agent (
      id text primary key,
      ord text not null,
      project text not null,
      group_id text references fleet_group (id),
      plan_id text references fleet_plan (id),
      stage bigint not null,
      role text not null,
      cli text not null,
      model text not null,
      status text not null,
      outcome text,
      prompt text not null,
      working_directory text not null,
      timeout_ms bigint not null,
      spec text not null,
      machine text not null,
      started bigint not null,
      claimed_at text,
      attempts bigint not null,
      host text,
      host_pid bigint,
      host_start text,
      child_pid bigint,
      child_start text,
      reaped bigint not null,
      beat bigint not null,
      beat_at text,
      cancel_at text,
      tool_calls bigint not null,
      activity text,
      usage text,
      session text,
      exit_code bigint,
      automatic text,
      report text,
      created_at text not null,
      started_at text,
      ended_at text,
      revision bigint not null
    )`,
    `create index fleet_agent_by_project on fleet_agent (project, ord)`,
    `create index fleet_agent_by_group on fleet_agent (group_id, ord)`,
    `create index fleet_agent_by_plan on fleet_agent (plan_id, ord)`,
    `create index fleet_agent_by_status on fleet_agent (status, project)`,
    `create index fleet_agent_by_reaped on fleet_agent (reaped)`,
    // Whoever starts agents moves the revision: two who counted the same room cannot both take it.
    `create table fleet_capacity (
      project text primary key,
      revision bigint not null
    )`,
    // A program is there or missing on one machine.
    `create table fleet_check (
      project text not null,
      machine text not null,
      role text not null,
      digest text not null,
      health text,
      model text,
      at text not null,
      primary key (project, machine, role)
    )`,
  ],
};
