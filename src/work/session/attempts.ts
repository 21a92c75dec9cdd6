import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { settings } from '../settings.ts';

const longestId = 100;
const slowestMs = 1000;
const stepMs = 100;

interface Try {
  readonly agent: string;
  readonly connection: string;
}

/** The key under which failures are counted: claimed id and connection, so that no caller can lock out another. */
export function tryOf(context: Context, agentId: string): Try {
  return {
    agent: agentId.slice(0, longestId),
    connection: context.connection?.id ?? `command line:${context.actor.id}`,
  };
}

export function attemptQuery(one: Try): Query {
  return {
    sql: 'select failures, at from work_attempt where agent_id = :agent and connection = :connection',
    args: { ...one },
  };
}

export function isLockedOut(context: Context, row: Row | undefined): boolean {
  const { tries, seconds } = settings.of(context).work.lockout;
  if (row === undefined || Number(row['failures']) < tries) return false;
  return context.now().getTime() - Date.parse(text(row, 'at')) < seconds * 1000;
}

/** Counts a failed try, then waits; the wait grows with the number of failures. */
export async function refuseTry(context: Context, one: Try, row: Row | undefined, projectId: string): Promise<void> {
  const since = new Date(context.now().getTime() - settings.of(context).work.lockout.seconds * 1000).toISOString();
  await context.store.commit(
    [
      { sql: 'delete from work_attempt where at < :since', args: { since } },
      {
        sql: `insert into work_attempt (agent_id, connection, failures, at) values (:agent, :connection, 1, :at)
          on conflict (agent_id, connection) do update set failures = work_attempt.failures + 1, at = excluded.at`,
        args: { ...one, at: context.now().toISOString() },
      },
    ],
    [entry(context, one.agent, 'session.refused', { project: projectId.slice(0, longestId) })],
  );
  await sleep(Math.min(slowestMs, (Number(row?.['failures'] ?? 0) + 1) * stepMs), undefined, {
    signal: context.signal,
  }).catch(() => undefined); // The caller went away.
}
