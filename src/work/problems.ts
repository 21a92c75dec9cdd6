import type { Status } from './task/task.ts';

declare module '../kernel/problem.ts' {
  interface Problems {
    INVALID_CREDENTIALS: Record<never, never>;
    ALREADY_RUNNING: Record<never, never>;
    INVALID_SESSION: Record<never, never>;
    INVALID_SESSION_OR_TASK: Record<never, never>;
    INVALID_EXECUTION_OR_SESSION: Record<never, never>;
    PROJECT_NOT_FOUND: { project_id: string };
    TASK_NOT_FOUND: { task_id: string };
    HANDOFF_NOT_FOUND: { handoff_id: string };
    EXECUTION_NOT_FOUND: { execution_id: string };
    ID_TAKEN: { id: string };
    NOT_ASSIGNED: { agent_id: string; project_id: string };
    INVALID_TRANSITION: { task_id: string; from: Status; to: Status; possible: readonly Status[] };
    DEPENDENCIES_OPEN: { task_id: string; open: readonly string[] };
    DEPENDENCY_CYCLE: { task_id: string; other: string };
    /** A live session of another agent works on it. */
    TASK_CLAIMED: { task_id: string; agent_id: string };
    /** It was handed to somebody else meanwhile, or never was this agent's. */
    TASK_NOT_YOURS: { task_id: string; agent_id: string; assignee_id: string | null };
    TASK_STARTED: { task_id: string };
    TASK_CLOSED: { task_id: string; status: string };
    TASK_CONFLICT: { task_id: string; expected: number | undefined; current: number };
    PROCESS_INCOMPLETE: {
      task_id: string;
      process_id: string;
      run_id: string | undefined;
      state: string | undefined;
      missing: readonly string[];
      events: readonly string[];
    };
    HANDOFF_NOT_YOURS: { handoff_id: string; agent_id: string };
    HANDOFF_CLOSED: { handoff_id: string; by: string | undefined };
    IMPORT_INVALID: { line: number; reason: string };
  }
  interface Refusals {
    /** A connection with an identity acts only as itself. */
    identity: { own: string; named: string };
    /** `identity: required`, and this connection has proved nothing. */
    unproven: { agent: string | undefined };
    /** Only a person closes a task whose process is not over. */
    force: Record<never, never>;
  }
  interface Phrases {
    'work.instruction.authenticated': Record<never, never>;
    'work.instruction.task': { run_id: string | undefined };
    'work.instruction.handoff': { handoff_id: string; agent_id: string };
    'work.instruction.no_task': Record<never, never>;
    'work.instruction.completed': Record<never, never>;
    'work.instruction.blocked': Record<never, never>;
    'work.instruction.logged_out': Record<never, never>;
    'work.instruction.handed_off': { to: string | undefined };
    'work.instruction.accepted': Record<never, never>;
    'work.instruction.passkey': Record<never, never>;
    'work.runner.prompt': { agentId: string; projectId: string; folder: string };
    'work.prompt.start': { title: string; task_id: string; agent: string };
    'work.prompt.description': Record<never, never>;
    'work.prompt.acceptance': Record<never, never>;
    'work.prompt.process': { process_id: string; run_id: string; state: string };
    'work.prompt.context': Record<never, never>;
    'work.prompt.handoff': { from: string };
    'work.prompt.executions': Record<never, never>;
    'work.prompt.nothing': Record<never, never>;
    'work.prompt.finish': Record<never, never>;
    'work.prompt.template': { task_id: string; from: string; title: string };
    'work.prompt.summary': { title: string; task_id: string; status: string };
    'work.field': { field: 'progress' | 'findings' | 'blockers' | 'next_steps' };
  }
}
