import type { Context } from '../../kernel/context.ts';
import { type LiveEvent, phaseEvents } from '../../kernel/live-source.ts';
import type { Query, Recorded, Row } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { type ListedRole, listRolesWithHealth } from '../role/listed.ts';
import { type AgentState, type Result, agentState, shortenAgent } from './state.ts';

/** A group in the format of the fleet document. */
export interface GroupState {
  readonly id: string;
  readonly groupId: string;
  readonly description: string;
  readonly mode: string | null;
  readonly status: string;
  readonly createdAt: string;
  readonly agentIds: readonly string[];
  /** The stage of the group's last plan, counted from 0; null if it has no plan. */
  readonly currentStageIndex: number | null;
  readonly totalStages: number | null;
}

/** An agent with the extra fields of the live view. */
export interface WatchedAgent extends AgentState {
  readonly prompt: string;
  /** The tool in use; null if there is none or the stream does not say. */
  readonly currentTool: string | null;
  readonly totalStages: number | null;
}

export interface Snapshot {
  readonly groups: readonly GroupState[];
  readonly agents: readonly WatchedAgent[];
  readonly roles: readonly ListedRole[];
  /** The last events of the project's phases. */
  readonly phases: readonly LiveEvent[];
}

const mostGroups = 200;
const mostAgents = 500;
const longestPrompt = 4000;

const agentColumns = `select fleet_agent.*, fleet_plan.stages as total_stages from fleet_agent
  left join fleet_plan on fleet_plan.id = fleet_agent.plan_id`;

/** Reads active groups with their agents, all other live agents, the roles, and the state of the phases. */
export async function readSnapshot(context: Context): Promise<{ cursor: number; snapshot: Snapshot }> {
  const cursor = await context.store.head();
  const project = context.project.key;
  const active = `select id from fleet_group where project = :project and status = 'active' order by ord desc limit ${mostGroups}`;
  const [groups = [], agents = [], members = [], plans = []] = await context.store.read([
    { sql: `select * from fleet_group where id in (${active}) order by ord desc`, args: { project } },
    {
      sql: `${agentColumns} left join fleet_group on fleet_group.id = fleet_agent.group_id
        where fleet_agent.project = :project
          and (fleet_group.status = 'active' or fleet_agent.status in ('queued', 'running'))
        order by fleet_agent.ord desc limit :most`,
      args: { project, most: mostAgents },
    },
    { sql: `select id, group_id from fleet_agent where group_id in (${active}) order by ord`, args: { project } },
    { sql: `${planColumns} where group_id in (${active}) order by id`, args: { project } },
  ]);
  const of = (rows: readonly Row[], id: string) => rows.filter((one) => one['group_id'] === id);
  const now = context.now();
  const snapshot = {
    groups: groups.map((row) => groupState(row, of(members, text(row, 'id')), of(plans, text(row, 'id')))),
    agents: agents.map((row) => watchedAgent(row, now)),
    roles: await listRolesWithHealth(context),
    phases: await phaseEvents.of(context).recent(context),
  };
  return { cursor, snapshot };
}

const planColumns = 'select id, group_id, current, stages from fleet_plan';

/** Builds a group's state. `plans` are oldest first; the last one counts. */
function groupState(row: Row, members: readonly Row[], plans: readonly Row[]): GroupState {
  const id = text(row, 'id');
  const plan = plans.at(-1);
  return {
    id,
    groupId: id,
    description: text(row, 'description'),
    mode: optional(row, 'mode'),
    status: text(row, 'status'),
    createdAt: text(row, 'created_at'),
    agentIds: members.map((one) => text(one, 'id')),
    currentStageIndex: plan === undefined ? null : Number(plan['current']),
    totalStages: plan === undefined ? null : Number(plan['stages']),
  };
}

function watchedAgent(row: Row, now: Date): WatchedAgent {
  const prompt = text(row, 'prompt');
  return {
    ...shortenAgent(agentState(row, now)),
    prompt: prompt.length <= longestPrompt ? prompt : `${prompt.slice(0, longestPrompt)} …`,
    currentTool: row['status'] === 'running' ? optional(row, 'tool') : null,
    totalStages: row['total_stages'] === null ? null : Number(row['total_stages']),
  };
}

/** The document's AgentResult: the reported result with its agent. */
function reportedResult(row: Row, now: Date): object {
  const { agentId, groupId, role, model, toolCallCount, result } = agentState(row, now);
  return { agentId, groupId, role, model, toolCallCount, ...(result satisfies Result | null) };
}

/** Yields every change of this project's fleet from a journal position on, until the signal aborts. */
export async function* followFleet(context: Context, from: number, signal: AbortSignal): AsyncGenerator<LiveEvent> {
  for await (const entry of context.store.follow(from, signal)) {
    const event = (await eventOf(context, entry)) ?? (await phaseEvents.of(context).tell(context, entry));
    if (event !== undefined) yield event;
  }
}

async function eventOf(context: Context, entry: Recorded): Promise<LiveEvent | undefined> {
  if (entry.project !== context.project.key) return undefined;
  const data = await dataOf(context, entry);
  // The journal writes `agent.created`, the document `agent:created`.
  return data && { type: entry.kind.replace('.', ':'), cursor: entry.seq, timestamp: entry.at, data };
}

async function dataOf(context: Context, { subject, kind, data }: Recorded): Promise<object | undefined> {
  const [topic] = kind.split('.');
  const now = context.now();
  if (topic === 'agent') {
    const [[row] = []] = await context.store.read([watchedQuery(subject)]);
    if (row === undefined) return undefined;
    return kind === 'agent.result_reported' ? reportedResult(row, now) : watchedAgent(row, now);
  }
  if (topic === 'role') return (await listRolesWithHealth(context)).find((one) => `role:${one.id}` === subject);
  if (kind === 'group.deleted') return { groupId: subject };
  if (topic !== 'group' && topic !== 'plan') return undefined;
  const args = { id: subject };
  const [[row] = [], members = [], plans = []] = await context.store.read([
    { sql: 'select * from fleet_group where id = :id', args },
    { sql: 'select id from fleet_agent where group_id = :id order by ord', args },
    { sql: `${planColumns} where group_id = :id order by id`, args },
  ]);
  if (row === undefined) return undefined;
  return { ...groupState(row, members, plans), ...(topic === 'plan' && stageOf(data)) };
}

function watchedQuery(id: string): Query {
  return { sql: `${agentColumns} where fleet_agent.id = :id`, args: { id } };
}

/** Data of a plan's entry, with the stage also under the document's name. */
function stageOf(data: string): object {
  const told = JSON.parse(data) as { readonly stage?: number };
  return { ...told, ...(told.stage !== undefined && { stageIndex: told.stage }) };
}
