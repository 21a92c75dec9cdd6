import type { Context } from '../../kernel/context.ts';
import type { Recorded, Row } from '../../kernel/store.ts';
import { optional, text } from '../../kernel/row.ts';
import { readAgent } from '../agent-rows.ts';
import type { AgentState } from './state.ts';
import { agentState } from './state.ts';

export interface GroupState {
  readonly groupId: string;
  readonly description: string;
  readonly mode: string | null;
  readonly status: string;
  readonly createdAt: string;
}

export interface Snapshot {
  readonly groups: readonly GroupState[];
  readonly agents: readonly AgentState[];
}

/** What one who watches is sent. `cursor` is where to go on after a break. */
export interface LiveEvent {
  readonly type: string;
  readonly cursor: number;
  readonly timestamp: string;
  readonly data: unknown;
}

const mostAgents = 500;

/** Active groups with their agents, and whatever else is live. */
export async function readSnapshot(context: Context): Promise<{ cursor: number; snapshot: Snapshot }> {
  const cursor = await context.store.head();
  const project = context.project.key;
  const [groups = [], agents = []] = await context.store.read([
    {
      sql: `select * from fleet_group where project = :project and status = 'active' order by ord desc limit 200`,
      args: { project },
    },
    {
      sql: `select fleet_agent.* from fleet_agent left join fleet_group on fleet_group.id = fleet_agent.group_id
        where fleet_agent.project = :project
          and (fleet_group.status = 'active' or fleet_agent.status in ('queued', 'running'))
        order by fleet_agent.ord desc limit :most`,
      args: { project, most: mostAgents },
    },
  ]);
  const now = context.now();
  return { cursor, snapshot: { groups: groups.map(groupState), agents: agents.map((row) => agentState(row, now)) } };
}

export function groupState(row: Row): GroupState {
  return {
    groupId: text(row, 'id'),
    description: text(row, 'description'),
    mode: optional(row, 'mode'),
    status: text(row, 'status'),
    createdAt: text(row, 'created_at'),
  };
}

/** Every change of this project's fleet from a position of the journal on, until the signal aborts. */
export async function* followFleet(context: Context, from: number, signal: AbortSignal): AsyncGenerator<LiveEvent> {
  for await (const entry of context.store.follow(from, signal)) {
    const data = await dataOf(context, entry);
    // `agent.created` is the journal's word, `agent:created` the document's.
    if (data !== undefined) yield { type: entry.kind.replace('.', ':'), cursor: entry.seq, timestamp: entry.at, data };
  }
}

async function dataOf(context: Context, { subject, kind, data }: Recorded): Promise<unknown> {
  const [topic] = kind.split('.');
  const project = context.project.key;
  if (topic === 'agent') {
    const row = await readAgent(context, subject);
    return row?.['project'] === project ? agentState(row, context.now()) : undefined;
  }
  if (topic === 'group' || topic === 'plan') {
    const [[row] = []] = await context.store.read([
      { sql: 'select * from fleet_group where id = :id', args: { id: subject } },
    ]);
    if (row?.['project'] !== project) return undefined;
    return { ...groupState(row), ...(topic === 'plan' && (JSON.parse(data) as object)) };
  }
  return undefined;
}
