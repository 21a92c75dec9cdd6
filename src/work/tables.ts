import { defineTable, type Table } from '../kernel/store/table.ts';

const project = defineTable({
  name: 'work_project',
  ids: 'prj_',
  columns: {
    id: 'text not null',
    ord: 'text not null',
    name: 'text not null',
    working_directory: 'text not null',
    status: 'text not null',
    auto_start: 'bigint not null',
    // 1: agents of the project may take tasks that are assigned to no agent.
    pool: 'bigint',
    plan: 'bigint not null',
    last_number: 'bigint',
    created_at: 'text not null',
    updated_at: 'text not null',
  },
  key: ['id'],
  volatile: ['plan'],
  added: ['pool', 'last_number'],
  unique: { by_ord: 'ord' },
});

const agent = defineTable({
  name: 'work_agent',
  ids: 'agt_',
  columns: {
    id: 'text not null',
    ord: 'text not null',
    name: 'text not null',
    role: 'text not null',
    ai_type: 'text not null',
    system_prompt: 'text not null',
    status: 'text not null',
    passkey: 'text not null',
    created_at: 'text not null',
    updated_at: 'text not null',
  },
  key: ['id'],
  unique: { by_ord: 'ord' },
});

const assignment = defineTable({
  name: 'work_assignment',
  columns: {
    agent_id: 'text not null references work_agent (id)',
    project_id: 'text not null references work_project (id)',
    assigned_at: 'text not null',
    session: 'text',
    session_expires_at: 'text',
    claim: 'text',
    claim_runner: 'text',
    claim_agent: 'text',
    claim_log: 'text',
    claim_expires_at: 'text',
    // The task that the claimed instance works on.
    claim_task: 'text',
    failures: 'bigint not null',
    failed_at: 'text',
  },
  key: ['agent_id', 'project_id'],
  added: ['claim_task'],
  volatile: ['session_expires_at', 'claim_expires_at'],
  indexes: { by_project: 'project_id, agent_id', by_session: 'session', by_claim: 'claim', by_runner: 'claim_runner' },
});

const session = defineTable({
  name: 'work_session',
  columns: {
    hash: 'text not null',
    agent_id: 'text not null',
    project_id: 'text not null',
    connection: 'text',
    claim: 'text',
    task_id: 'text',
    execution_id: 'text',
    created_at: 'text not null',
    ended_at: 'text',
    end_reason: 'text',
  },
  key: ['hash'],
  indexes: { by_connection: 'connection', by_claim: 'claim' },
});

const attempt = defineTable({
  name: 'work_attempt',
  columns: { agent_id: 'text not null', connection: 'text not null', failures: 'bigint not null', at: 'text not null' },
  key: ['agent_id', 'connection'],
});

const task = defineTable({
  name: 'work_task',
  ids: 'tsk_',
  columns: {
    id: 'text not null',
    ord: 'text not null',
    project_id: 'text not null references work_project (id)',
    number: 'bigint',
    title: 'text not null',
    description: 'text not null',
    status: 'text not null',
    priority: 'bigint not null',
    assignee_id: 'text references work_agent (id)',
    assigned_at: 'text',
    parent_id: 'text references work_task (id)',
    labels: 'text not null',
    acceptance: 'text not null',
    process_id: 'text',
    run_id: 'text',
    session: 'text',
    summary: 'text',
    // `success`: its agent has reported, and the run waits for a person, whose answer closes the task.
    reported: 'text',
    // Attempts in a row that ended without a report, and why the last one did.
    attempts: 'bigint',
    failure: 'text',
    revision: 'bigint not null',
    created_at: 'text not null',
    updated_at: 'text not null',
    started_at: 'text',
    completed_at: 'text',
  },
  key: ['id'],
  indexes: {
    by_project: 'project_id, ord',
    by_status: 'project_id, status, ord',
    by_assignee: 'assignee_id, project_id, status, ord',
    by_parent: 'parent_id',
  },
  unique: { by_ord: 'ord', by_number: 'number, project_id' },
  added: ['number', 'reported', 'attempts', 'failure'],
});

const dependency = defineTable({
  name: 'work_dependency',
  columns: {
    task_id: 'text not null references work_task (id)',
    depends_on: 'text not null references work_task (id)',
  },
  key: ['task_id', 'depends_on'],
  indexes: { by_other: 'depends_on' },
});

const context = defineTable({
  name: 'work_context',
  columns: {
    task_id: 'text not null references work_task (id)',
    version: 'bigint not null',
    actor: 'text not null',
    progress: 'text',
    findings: 'text',
    blockers: 'text',
    next_steps: 'text',
    at: 'text not null',
  },
  key: ['task_id', 'version'],
});

const handoff = defineTable({
  name: 'work_handoff',
  ids: 'hnd_',
  columns: {
    id: 'text not null',
    task_id: 'text not null references work_task (id)',
    project_id: 'text not null',
    from_agent_id: 'text not null',
    to_agent_id: 'text',
    summary: 'text not null',
    context: 'text',
    recommendations: 'text',
    status: 'text not null',
    accepted_by: 'text',
    accepted_at: 'text',
    created_at: 'text not null',
  },
  key: ['id'],
  indexes: { by_task: 'task_id, id', by_addressee: 'status, to_agent_id, project_id, id' },
});

const execution = defineTable({
  name: 'work_execution',
  ids: 'exec_',
  columns: {
    id: 'text not null',
    task_id: 'text not null references work_task (id)',
    agent_id: 'text not null',
    project_id: 'text not null',
    session: 'text not null',
    claim: 'text',
    status: 'text not null',
    exit_code: 'bigint',
    duration_ms: 'bigint',
    log_file_path: 'text',
    started_at: 'text not null',
    completed_at: 'text',
  },
  key: ['id'],
  indexes: { by_task: 'task_id, id', by_agent: 'agent_id, id', by_session: 'session', by_claim: 'claim' },
});

/**
 * The tables of the work module. `ord` is a time-ordered id, because people may choose `id`. An assignment alone says whether
 * its pair of agent and project runs: by its session, its claim and their expiry. A project's `plan` counts the changes of
 * its tasks' dependencies: a commit that was decided by them checks that it is unchanged. Its `last_number` is the last number
 * that a task got; it is null as long as its tasks, of an older version, have none.
 */
export const tables: readonly Table[] = [
  project,
  agent,
  assignment,
  session,
  attempt,
  task,
  dependency,
  context,
  handoff,
  execution,
];
