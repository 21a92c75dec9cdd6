import { defineTable, type Table } from '../kernel/store/table.ts';

const group = defineTable({
  name: 'fleet_group',
  columns: {
    id: 'text not null',
    ord: 'text not null',
    project: 'text not null',
    description: 'text not null',
    mode: 'text',
    status: 'text not null',
    revision: 'bigint not null',
    created_at: 'text not null',
  },
  key: ['id'],
  indexes: { by_project: 'project, ord' },
});

const plan = defineTable({
  name: 'fleet_plan',
  columns: {
    id: 'text not null',
    group_id: 'text not null references fleet_group (id)',
    project: 'text not null',
    machine: 'text not null',
    on_failure: 'text not null',
    room: 'bigint not null',
    stages: 'bigint not null',
    current: 'bigint not null',
    status: 'text not null',
    revision: 'bigint not null',
    created_at: 'text not null',
    moved_at: 'text not null',
  },
  key: ['id'],
  indexes: { by_status: 'status', by_group: 'group_id' },
});

const agent = defineTable({
  name: 'fleet_agent',
  columns: {
    id: 'text not null',
    ord: 'text not null',
    project: 'text not null',
    group_id: 'text references fleet_group (id)',
    plan_id: 'text references fleet_plan (id)',
    stage: 'bigint not null',
    role: 'text not null',
    cli: 'text not null',
    model: 'text not null',
    status: 'text not null',
    outcome: 'text',
    prompt: 'text not null',
    working_directory: 'text not null',
    timeout_ms: 'bigint not null',
    spec: 'text not null',
    machine: 'text not null',
    started: 'bigint not null',
    claimed_at: 'text',
    attempts: 'bigint not null',
    host: 'text',
    host_pid: 'bigint',
    host_start: 'text',
    child_pid: 'bigint',
    child_start: 'text',
    reaped: 'bigint not null',
    beat: 'bigint not null',
    beat_at: 'text',
    cancel_at: 'text',
    tool_calls: 'bigint not null',
    activity: 'text',
    tool: 'text',
    usage: 'text',
    session: 'text',
    exit_code: 'bigint',
    automatic: 'text',
    report: 'text',
    // JSON: what it made, as its host recorded it at the end.
    change: 'text',
    created_at: 'text not null',
    started_at: 'text',
    ended_at: 'text',
    revision: 'bigint not null',
  },
  key: ['id'],
  added: ['change'],
  volatile: ['beat', 'beat_at', 'tool_calls', 'activity', 'tool', 'usage'],
  indexes: {
    by_project: 'project, ord',
    by_group: 'group_id, ord',
    by_plan: 'plan_id, ord',
    by_status: 'status, project',
    by_reaped: 'reaped',
  },
});

// Starting agents increments the revision, so two processes that counted the same free capacity cannot both take it.
const capacity = defineTable({
  name: 'fleet_capacity',
  columns: { project: 'text not null', revision: 'bigint not null' },
  key: ['project'],
  volatile: 'all',
});

// Role checks are per machine: a program may be installed on one and missing on another.
const check = defineTable({
  name: 'fleet_check',
  columns: {
    project: 'text not null',
    machine: 'text not null',
    role: 'text not null',
    digest: 'text not null',
    health: 'text',
    model: 'text',
    at: 'text not null',
  },
  key: ['project', 'machine', 'role'],
  volatile: 'all',
});

// While this table has a row, no agent starts until a person resumes.
const pause = defineTable({
  name: 'fleet_pause',
  columns: { scope: 'text not null', reason: 'text not null', at: 'text not null' },
  key: ['scope'],
});

/** `ord` is a time-ordered id; an agent’s own id sorts by its role. */
export const tables: readonly Table[] = [group, plan, agent, capacity, check, pause];
