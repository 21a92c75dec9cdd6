import { randomBytes } from 'node:crypto';
import type { Context } from '../../kernel/context.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Row, Write } from '../../kernel/store/store.ts';
import { hashToken } from '../../kernel/token.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { connectionHolder, holdWrite, instanceHolder, letGoWrite } from '../../gate/index.ts';
import { actBySession } from './acting.ts';
import { problem } from '../problem.ts';
import { settings } from '../settings.ts';

export type WorkSession = Readonly<ReturnType<typeof toSession>>;

export function makeSessionToken(): string {
  return `sess_${randomBytes(24).toString('base64url')}`;
}

const selectSession = `select s.hash as hash, s.agent_id as agent_id, s.project_id as project_id, s.connection as connection,
    s.claim as claim, s.task_id as task_id, s.execution_id as execution_id, a.claim_log as claim_log,
    a.session_expires_at as expires_at, p.working_directory as working_directory
  from work_session s join work_assignment a on a.session = s.hash join work_project p on p.id = s.project_id`;

function toSession(row: Row) {
  // The claim of the host that started the agent; null for a session without a host.
  const claim = optional(row, 'claim');
  return {
    hash: text(row, 'hash'),
    agentId: text(row, 'agent_id'),
    projectId: text(row, 'project_id'),
    connection: optional(row, 'connection'),
    claim,
    taskId: optional(row, 'task_id'),
    executionId: optional(row, 'execution_id'),
    logFilePath: claim === null ? null : optional(row, 'claim_log'),
    workingDirectory: text(row, 'working_directory'),
  };
}

/** Finds the live session of a token, renews it, and lets its agent act. Throws `otherwise` if there is none. */
export async function openSession(
  context: Context,
  token: string,
  otherwise: () => Problem = problem.INVALID_SESSION,
): Promise<{ readonly session: WorkSession; readonly context: Context }> {
  const now = context.now();
  const [[row] = []] = await context.store.read([
    {
      sql: `${selectSession} where s.hash = :hash and a.session_expires_at > :now`,
      args: { hash: hashToken(token), now: now.toISOString() },
    },
  ]);
  if (row === undefined) throw otherwise();
  const session = toSession(row);
  const agentContext = actBySession(context, session.agentId);
  if (session.claim === null) await renew(agentContext, session, Date.parse(text(row, 'expires_at')) - now.getTime());
  return { session, context: agentContext };
}

/** Extends a session without a host when it is used, once half of its time is over: not a write for every read. */
async function renew(context: Context, session: WorkSession, leftMs: number): Promise<void> {
  const { sessionSeconds } = settings.of(context).work;
  if (leftMs > (sessionSeconds * 1000) / 2) return;
  const now = context.now();
  const until = new Date(now.getTime() + sessionSeconds * 1000).toISOString();
  const outcome = await context.store.touch([
    {
      sql: 'update work_assignment set session_expires_at = :until where session = :hash and session_expires_at > :now',
      args: { hash: session.hash, until, now: now.toISOString() },
      rows: 1,
    },
  ]);
  if (!outcome.done) throw problem.INVALID_SESSION(); // The session ended after it was read.
}

export type EndReason = 'logout' | 'reported' | 'expired' | 'revoked';

/** The status of an execution that is still running when its session ends, by the reason of the end. */
const executionStatus: Readonly<Record<EndReason, string>> = {
  logout: 'completed',
  reported: 'completed',
  expired: 'error',
  revoked: 'error',
};

export interface Ending {
  readonly at: string;
  readonly reason: EndReason;
  /** The result that the agent reported for its execution. */
  readonly execution?: { readonly status: string; readonly exitCode: number };
}

type SessionKey = Pick<WorkSession, 'hash' | 'agentId' | 'projectId' | 'claim'>;

/** Ends a session. A conflict if it has ended already. */
export function endSession(session: SessionKey, ending: Ending): readonly Write[] {
  return [
    {
      sql: 'update work_assignment set session = null, session_expires_at = null where session = :hash',
      args: { hash: session.hash },
      rows: 1,
    },
    ...afterSession(session, ending),
  ];
}

/** The writes that clean up after a session, for every reason of its end. */
export function afterSession(session: SessionKey, { at, reason, execution }: Ending): readonly Write[] {
  const { hash, claim } = session;
  return [
    {
      sql: 'update work_session set ended_at = :at, end_reason = :reason where hash = :hash and ended_at is null',
      args: { hash, at, reason },
    },
    {
      sql: `update work_execution set status = :status, exit_code = :exit, completed_at = :at
        where session = :hash and status = 'running'`,
      args: { hash, at, status: execution?.status ?? executionStatus[reason], exit: execution?.exitCode ?? null },
    },
    { sql: 'update work_task set session = null where session = :hash', args: { hash } },
    // The connection, the client and a hosted instance stay bound to the run: they continue after the report or logout.
    ...(claim === null ? [letGoWrite(instanceHolder(session))] : []),
  ];
}

type SessionHolder = Pick<WorkSession, 'agentId' | 'projectId' | 'connection'>;

/** Binds the session's connection, client and instance to the run of its new task, in place of the previous one. */
export function holdRun(
  { actor, callers }: Pick<Context, 'actor' | 'callers'>,
  session: SessionHolder,
  runId: string | null,
): readonly Write[] {
  const { connection } = session;
  const client = actor.person ? undefined : callers.client;
  const holders = [
    instanceHolder(session),
    ...(connection === null ? [] : [connectionHolder(connection)]),
    ...(client === undefined ? [] : [client]),
  ];
  return holders.map((one) => (runId === null ? letGoWrite(one) : holdWrite(one, runId)));
}

/** The session of a row of `work_assignment`. */
export function sessionKeyOf(row: Row): SessionKey {
  return {
    hash: text(row, 'session'),
    agentId: text(row, 'agent_id'),
    projectId: text(row, 'project_id'),
    claim: optional(row, 'claim'),
  };
}

/** The writes that end the agent's sessions in one project or in all, when the agent loses the right to them. */
export async function revokeSessions(context: Context, agentId: string, projectId?: string): Promise<readonly Write[]> {
  const args = { agent: agentId, ...(projectId !== undefined && { project: projectId }) };
  const which = `agent_id = :agent ${projectId === undefined ? '' : 'and project_id = :project'}`;
  const [rows = []] = await context.store.read([
    {
      sql: `select agent_id, project_id, session, claim from work_assignment where session is not null and ${which}`,
      args,
    },
  ]);
  const at = context.now().toISOString();
  return [
    {
      // The host of an instance ends it when the claim is gone.
      sql: `update work_assignment set session = null, session_expires_at = null, claim = null, claim_expires_at = null
        where ${which}`,
      args,
    },
    ...rows.flatMap((row) => afterSession(sessionKeyOf(row), { at, reason: 'revoked' })),
  ];
}
