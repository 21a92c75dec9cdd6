import type { Context } from '../../kernel/context.ts';
import { type LiveEvent, phaseEvents } from '../../kernel/live-source.ts';
import type { Query, Recorded, Row } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { listRolesWithHealth } from '../role/health.ts';
import { type Result, agentState, shortenAgent } from './state.ts';

export type Snapshot = Awaited<ReturnType<typeof readSnapshot>>['snapshot'];

const mostGroups = 200;
const mostAgents = 500;
const longestPrompt = 4000;
/** The shortest time between two looks at the progress of agents. */
const progressMs = 1000;

const agentColumns = `select fleet_agent.*, fleet_plan.stages as total_stages from fleet_agent
  left join fleet_plan on fleet_plan.id = fleet_agent.plan_id`;

/** Reads active groups with their agents, all other live agents, the roles, and the state of the phases. */
export async function readSnapshot(context: Context) {
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

/** A group in the format of the fleet document. `plans` are oldest first; the last one counts. */
function groupState(row: Row, members: readonly Row[], plans: readonly Row[]) {
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
    // Counted from 0.
    currentStageIndex: plan === undefined ? null : Number(plan['current']),
    totalStages: plan === undefined ? null : Number(plan['stages']),
  };
}

/** An agent with the extra fields of the live view. */
function watchedAgent(row: Row, now: Date) {
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

/**
 * Sends every change of this project's fleet from a journal position on, until the signal aborts. Progress of agents, which the
 * journal does not contain, is read from their rows. Events are read and sent one after another, so an older state never
 * follows a newer one.
 */
export async function followFleet(
  context: Context,
  from: number,
  signal: AbortSignal,
  send: (event: LiveEvent) => void,
): Promise<void> {
  let cursor = from;
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const readProgress = createProgressReader(context);
  let isDue = true;
  const unwatch = context.store.watch(() => {
    if (!isDue) return;
    isDue = false;
    setTimeout(() => (isDue = true), progressMs).unref();
    const sent = inTurn(async () => {
      for (const event of await readProgress(cursor)) if (!signal.aborted) send(event);
    });
    sent.catch((error: unknown) =>
      context.log.warn('could not read the progress of agents', { reason: String(error) }),
    );
  });
  try {
    for await (const entry of context.store.follow(from, signal))
      await inTurn(async () => {
        const event = (await eventOf(context, entry)) ?? (await phaseEvents.of(context).tell(context, entry));
        cursor = entry.seq;
        if (event !== undefined) send(event);
      });
  } finally {
    unwatch();
    await last;
  }
}

/**
 * Makes a function that reads the agents whose progress has changed since its last call. A new agent is in its second answer:
 * by then, the journal's entry of its start was sent.
 */
function createProgressReader(context: Context): (cursor: number) => Promise<readonly LiveEvent[]> {
  let known = new Map<string, string>();
  return async (cursor) => {
    const [rows = []] = await context.store.read([
      {
        sql: `${agentColumns} where fleet_agent.project = :project and fleet_agent.status = 'running' limit :most`,
        args: { project: context.project.key, most: mostAgents },
      },
    ]);
    const before = known;
    const progress = (row: Row) => JSON.stringify([row['tool_calls'], row['activity'], row['tool'], row['usage']]);
    known = new Map(rows.map((row) => [text(row, 'id'), before.has(text(row, 'id')) ? progress(row) : '']));
    const now = context.now();
    return rows
      .filter((row) => known.get(text(row, 'id')) !== (before.get(text(row, 'id')) ?? ''))
      .map((row) => ({
        type: 'agent:progress',
        cursor,
        timestamp: optional(row, 'beat_at') ?? now.toISOString(),
        data: watchedAgent(row, now),
      }));
  };
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
