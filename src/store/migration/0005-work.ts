import type { Migration } from '../engine.ts';

/**
 * `ord` is a time-ordered id: people may choose the others. Whether a pair of agent and project runs is told by its
 * assignment alone: the session and the claim there, and until when they hold.
 */
export const work: Migration = {
  id: 5,
  name: 'work',
  statements: [
    `create table work_project (
      id text primary key,
      ord text not null,
      name text not null,
      working_directory text not null,
      status text not null,
      created_at text not null,
      updated_at text not null
    )`,
    `create unique index work_project_by_ord on work_project (ord)`,
    `create table work_agent (
      id text primary key,
      ord text not null,
      name text not null,
      role text not null,
      ai_type text not null,
      system_prompt text not null,
      status text not null,
      passkey text not null,
      created_at text not null,
      updated_at text not null
    )`,
    `create unique index work_agent_by_ord on work_agent (ord)`,
    `create table work_assignment (
      agent_id text not null references work_agent (id),
      project_id text not null references work_project (id),
      assigned_at text not null,
      session text,
      session_expires_at text,
      claim text,
      claim_machine text,
      claim_log text,
      claim_expires_at text,
      failures bigint not null,
      not_before text,
      primary key (agent_id, project_id)
    )`,
    `create index work_assignment_by_project on work_assignment (project_id, agent_id)`,
    `create table work_session (
      hash text primary key,
      agent_id text not null,
      project_id text not null,
      connection text,
      claim text,
      task_id text,
      execution_id text,
      created_at text not null,
      ended_at text,
      end_reason text
    )`,
    `create index work_session_by_connection on work_session (connection)`,
    `create table work_attempt (
      agent_id text not null,
      connection text not null,
      failures bigint not null,
      at text not null,
      primary key (agent_id, connection)
    )`,
    `create table work_task (
      id text primary key,
      ord text not null,
      project_id text not null references work_project (id),
      title text not null,
      description text not null,
      status text not null,
      priority bigint not null,
      assignee_id text references work_agent (id),
      assigned_at text,
      parent_id text references work_task (id),
      labels text not null,
      acceptance text not null,
      process_id text,
      run_id text,
      session text,
      summary text,
      revision bigint not null,
      created_at text not null,
      updated_at text not null,
      started_at text,
      completed_at text
    )`,
    `create unique index work_task_by_ord on work_task (ord)`,
    `create index work_task_by_project on work_task (project_id, ord)`,
    `create index work_task_by_status on work_task (project_id, status, ord)`,
    `create index work_task_by_assignee on work_task (assignee_id, project_id, status, ord)`,
    `create index work_task_by_parent on work_task (parent_id)`,
    `create table work_dependency (
      task_id text not null references work_task (id),
      depends_on text not null references work_task (id),
      primary key (task_id, depends_on)
    )`,
    `create index work_dependency_by_other on work_dependency (depends_on)`,
    `create table work_context (
      task_id text not null references work_task (id),
      version bigint not null,
      actor text not null,
      progress text,
      findings text,
      blockers text,
      next_steps text,
      at text not null,
      primary key (task_id, version)
    )`,
    `create table work_handoff (
      id text primary key,
      task_id text not null references work_task (id),
      project_id text not null,
      from_agent_id text not null,
      to_agent_id text,
      summary text not null,
      context text,
      recommendations text,
      status text not null,
      accepted_by text,
      accepted_at text,
      created_at text not null
    )`,
    `create index work_handoff_by_task on work_handoff (task_id, id)`,
    `create index work_handoff_by_addressee on work_handoff (status, to_agent_id, project_id, id)`,
    `create table work_execution (
      id text primary key,
      task_id text not null references work_task (id),
      agent_id text not null,
      project_id text not null,
      session text not null,
      claim text,
      status text not null,
      exit_code bigint,
      duration_ms bigint,
      log_file_path text,
      started_at text not null,
      completed_at text
    )`,
    `create index work_execution_by_task on work_execution (task_id, id)`,
    `create index work_execution_by_agent on work_execution (agent_id, id)`,
    `create index work_execution_by_session on work_execution (session)`,
    `create index work_execution_by_claim on work_execution (claim)`,
  ],
};
