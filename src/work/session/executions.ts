import type { Context } from '../../kernel/context.ts';
import type { Query, Row, Write } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { problem } from '../problem.ts';
import type { WorkSession } from './sessions.ts';

/** Selects executions with the expiry of their session. Append `where` and the rest of the query. */
export const selectExecutions = `select e.*, a.session as live, a.session_expires_at as session_expires_at
  from work_execution e left join work_assignment a on a.session = e.session`;

type ExecutionStatus = 'running' | 'completed' | 'failed' | 'error';

/** An execution as tools return it. If its session has expired it counts as ended, although its row still says running. */
export function executionRecord(row: Row, now: Date) {
  const expires = optional(row, 'session_expires_at');
  const lost = row['status'] === 'running' && (expires === null || expires <= now.toISOString());
  const startedAt = text(row, 'started_at');
  const completedAt = lost ? (expires ?? startedAt) : optional(row, 'completed_at');
  const elapsed = completedAt === null ? null : (Date.parse(completedAt) - Date.parse(startedAt)) / 1000;
  return {
    executionId: text(row, 'id'),
    taskId: text(row, 'task_id'),
    agentId: text(row, 'agent_id'),
    status: (lost ? 'error' : text(row, 'status')) as ExecutionStatus,
    exitCode: row['exit_code'] === null ? null : Number(row['exit_code']),
    durationSeconds: row['duration_ms'] === null ? elapsed : Number(row['duration_ms']) / 1000,
    startedAt,
    completedAt,
  };
}

/** Selects the latest executions of a task, newest first. */
export function executionsQuery(taskId: string, limit: number): Query {
  return {
    sql: `${selectExecutions} where e.task_id = :task order by e.id desc limit :limit`,
    args: { task: taskId, limit },
  };
}

/** Finds an execution, with the path of its log. */
export async function findExecution(context: Context, id: string) {
  const [[row] = []] = await context.store.read([{ sql: `${selectExecutions} where e.id = :id`, args: { id } }]);
  if (row === undefined) return undefined;
  return { ...executionRecord(row, context.now()), logFilePath: optional(row, 'log_file_path') };
}

export async function readExecution(context: Context, id: string) {
  const found = await findExecution(context, id);
  if (found === undefined) throw problem.EXECUTION_NOT_FOUND({ execution_id: id });
  return found;
}

/** Returns the id of the instance that a log belongs to: it is the name of the log's folder. */
export function instanceOfLog(path: string | null): string | undefined {
  return path === null ? undefined : /[\\/]agents[\\/]([^\\/]+)[\\/]output-[^\\/]*$/.exec(path)?.[1];
}

export function startExecution(context: Context, session: WorkSession, taskId: string): { id: string; write: Write } {
  const id = context.newId('exec_');
  return {
    id,
    write: {
      sql: `insert into work_execution (id, task_id, agent_id, project_id, session, claim, status, log_file_path, started_at)
        values (:id, :task, :agent, :project, :session, :claim, 'running', :log, :at)`,
      args: {
        id,
        task: taskId,
        agent: session.agentId,
        project: session.projectId,
        session: session.hash,
        claim: session.claim,
        log: session.logFilePath,
        at: context.now().toISOString(),
      },
      rows: 1,
    },
  };
}

export function statusOfExit(exitCode: number): 'completed' | 'failed' | 'error' {
  if (exitCode === 0) return 'completed';
  return exitCode >= 1 && exitCode <= 127 ? 'failed' : 'error';
}
