import { agentCaller } from '../kernel/callers.ts';
import { entry } from '../kernel/store/journal.ts';
import { endedCallerWrites } from '../gate/index.ts';
import type { Entry, Query, Row, Write } from '../kernel/store/store.ts';
import { revokeWrite } from '../kernel/token.ts';
import { optional, parsed, text } from '../kernel/store/row.ts';
import type { ChangeRecord } from '../change/index.ts';
import type { FleetContext } from './fleet-context.ts';
import type { Spec } from './host/spec.ts';
import { problem } from './problem.ts';
import { type Finding, type Outcome, resultOfOutcome } from './view/state.ts';

export function agentQuery(id: string): Query {
  return { sql: 'select * from fleet_agent where id = :id', args: { id } };
}

export async function readAgent(context: Pick<FleetContext, 'store'>, id: string): Promise<Row | undefined> {
  const [rows = []] = await context.store.read([agentQuery(id)]);
  return rows[0];
}

/** Reads an agent; throws if there is none. */
export async function requireAgent(context: Pick<FleetContext, 'store'>, agentId: string): Promise<Row> {
  const row = await readAgent(context, agentId);
  if (row === undefined) throw problem.AGENT_NOT_FOUND({ agentId });
  return row;
}

/** Counts the agents that use capacity: they run, or their stage was started. */
export function liveQuery(project: string): Query {
  return {
    sql: `select count(*) as live from fleet_agent
      where project = :project and status in ('queued', 'running') and started = 1 and group_id is not null`,
    args: { project },
  };
}

/** The label of the token for an agent's own connection. */
export function tokenLabel(agentId: string): string {
  return `agent:${agentId}`;
}

/** Builds a journal entry for the project of the given row. */
export function entryFor(
  context: Pick<FleetContext, 'actor' | 'now'>,
  row: Row,
  subject: string,
  kind: string,
  data: Readonly<Record<string, unknown>>,
): Entry {
  return entry({ ...context, project: { key: text(row, 'project') } }, subject, kind, data);
}

export interface End {
  readonly outcome: Outcome;
  readonly automatic: Omit<Finding, 'status' | 'timestamp'>;
  readonly exitCode: number | null;
  /** What it made, if it has a tree of its own. */
  readonly change?: ChangeRecord | undefined;
  /** No processes or files of the agent are left. */
  readonly reaped: boolean;
}

/** The end of an agent whose program did not run. */
export function endWithoutWork(outcome: Outcome, errorMessage: string): End {
  const automatic = { summary: '', editedFiles: [], createdFiles: [], errorMessage };
  return { outcome, automatic, exitCode: null, reaped: true };
}

/** Builds the writes that end an agent. They conflict if the agent has changed since `row` was read. */
export async function endAgent(
  context: Pick<FleetContext, 'actor' | 'now' | 'callback' | 'log'>,
  row: Row,
  end: End,
): Promise<{ writes: readonly [Write, ...Write[]]; entries: readonly [Entry, ...Entry[]] }> {
  const own = endOwn(context, row, end);
  const spec = parsed(row, 'spec') as Spec | null;
  if (spec?.callbacks === undefined) return own;
  const { outcome, exitCode } = end;
  const moment = {
    at: own.at,
    until: own.at,
    agent: text(row, 'id'),
    ended: { outcome, exitCode, reason: end.automatic.errorMessage },
  };
  try {
    return { ...own, writes: [...own.writes, ...(await context.callback(spec.callbacks.end, moment))] };
  } catch (error) {
    // This build does not know a callback that another build stored. The agent must end anyway, or it never would.
    context.log.warn('unknown end callback of an agent', { agent: moment.agent, reason: String(error) });
    return own;
  }
}

/** Builds the writes that end an agent without the callbacks of other modules. */
export function endOwn(
  context: Pick<FleetContext, 'actor' | 'now'>,
  row: Row,
  end: End,
): { at: string; writes: readonly [Write, ...Write[]]; entries: readonly [Entry, ...Entry[]] } {
  const id = text(row, 'id');
  const at = context.now().toISOString();
  const reported = optional(row, 'report') !== null;
  const automatic: Finding = { status: resultOfOutcome[end.outcome], ...end.automatic, timestamp: at };
  const status = reported ? 'resultReported' : end.outcome;
  const facts = { status, outcome: end.outcome, exitCode: end.exitCode, error: end.automatic.errorMessage };
  return {
    at,
    writes: [
      {
        sql: `update fleet_agent set status = :status, outcome = :outcome, automatic = :automatic, exit_code = :exit, change = :change,
          ended_at = :at, reaped = :reaped, revision = revision + 1
          where id = :id and revision = :revision and status in ('queued', 'running')`,
        args: {
          id,
          revision: Number(row['revision']),
          status,
          outcome: end.outcome,
          automatic: JSON.stringify(automatic),
          exit: end.exitCode,
          change: end.change === undefined ? null : JSON.stringify(end.change),
          at,
          // An agent without a host has nothing to clean up.
          reaped: end.reaped || row['host'] === null ? 1 : 0,
        },
        rows: 1,
      },
      revokeWrite(tokenLabel(id)),
      ...endedCallerWrites(agentCaller(id)),
    ],
    entries: [
      entryFor(context, row, id, 'agent.ended', facts),
      ...(reported ? [entryFor(context, row, id, 'agent.result_reported', { status })] : []),
    ],
  };
}
