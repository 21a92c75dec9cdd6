import { isProblem, problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Entry, Query, Row, Write } from '../../kernel/store/store.ts';
import { optional, parsed, text } from '../../kernel/store/row.ts';
import { endAgent, endWithoutWork, entryFor, liveQuery } from '../agent-rows.ts';
import { capacityQuery, capacityWrites } from './capacity.ts';
import type { FleetContext } from '../fleet-context.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import { type Member, type Move, planStages } from './plan.ts';
import { earlierResults } from './prompt.ts';
import { type Finding, type Outcome, agentState } from '../view/state.ts';
import { phrase } from '../problem.ts';

/** A plan of another machine is left alone, unless it has not advanced for this long. */
const otherMachineMs = 30_000;

const runningPlans: Query = { sql: `select * from fleet_plan where status = 'running'`, args: {} };

/** Starts the next stage of every plan whose stage is over. Each stage starts once, whichever process calls this. */
export async function advancePlans(context: FleetContext): Promise<void> {
  const [plans = []] = await context.store.read([runningPlans]);
  for (const plan of plans) await runApart(context, text(plan, 'id'), () => advancePlan(context, text(plan, 'id')));
}

/** Does the work for one item and logs its error, for the sake of the others. A problem of the store is thrown. */
export async function runApart(context: FleetContext, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isProblem(error)) throw error;
    context.log.error('could not settle an agent or a plan', {
      id,
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

async function advancePlan(context: FleetContext, id: string): Promise<void> {
  const launched = await retry(
    async () => {
      const [[plan] = [], agents = []] = await context.store.read([
        { sql: `select * from fleet_plan where id = :id and status = 'running'`, args: { id } },
        { sql: 'select * from fleet_agent where plan_id = :id order by ord', args: { id } },
      ]);
      if (plan === undefined || belongsToOtherMachine(context, plan, agents)) return [];
      const project = text(plan, 'project');
      const [[counted] = [], [capacity] = []] = await context.store.read([liveQuery(project), capacityQuery(project)]);
      const move = planStages(toPlan(plan, agents), Number(plan['room']) - Number(counted?.['live']));
      if (move.kind === 'wait' || move.kind === 'blocked') return [];
      const { writes, entries, launch } = await effects(context, plan, agents, move);
      const claim = move.kind === 'start' ? capacityWrites(project, capacity) : [];
      const outcome = await context.store.commit([...claim, ...writes], entries);
      return outcome.done ? launch : again;
    },
    () => kernelProblem.STORE_BUSY({ what: id }),
  );
  for (const agent of launched) await context.launch(agent);
}

function belongsToOtherMachine(context: FleetContext, plan: Row, agents: readonly Row[]): boolean {
  if (plan['machine'] === thisMachine()) return false;
  const last = Math.max(
    Date.parse(text(plan, 'moved_at')),
    ...agents.map((one) => Date.parse(optional(one, 'ended_at') ?? text(plan, 'moved_at'))),
  );
  return context.now().getTime() - last < otherMachineMs;
}

function toPlan(plan: Row, agents: readonly Row[]) {
  const stages = Array.from({ length: Number(plan['stages']) }, (): Member[] => []);
  for (const row of agents)
    stages[Number(row['stage'])]?.push({
      id: text(row, 'id'),
      outcome: (optional(row, 'outcome') ?? undefined) as Outcome | undefined,
      reported: (parsed(row, 'report') as Finding | null)?.status,
    });
  return { current: Number(plan['current']), stages, onFailure: text(plan, 'on_failure') as 'stop' | 'continue' };
}

async function effects(
  context: FleetContext,
  plan: Row,
  agents: readonly Row[],
  move: Exclude<Move, { kind: 'wait' | 'blocked' }>,
): Promise<{ writes: readonly Write[]; entries: readonly [Entry, ...Entry[]]; launch: readonly string[] }> {
  const id = text(plan, 'id');
  const group = text(plan, 'group_id');
  if (move.kind === 'start') {
    const earlier = earlierResults(
      context.say,
      agents
        .filter((row) => Number(row['stage']) < move.stage)
        .map((row) => ({ stage: Number(row['stage']), agent: agentState(row, context.now()) })),
    );
    return {
      writes: [
        movePlan(context, plan, 'running', move.stage),
        ...move.agentIds.map((one) => claimAgent(context, one, earlier)),
      ],
      entries: [
        entryFor(context, plan, group, 'plan.stage_started', { plan: id, stage: move.stage, agents: move.agentIds }),
      ],
      launch: move.agentIds,
    };
  }
  if (move.kind === 'finish')
    return {
      writes: [movePlan(context, plan, 'completed', Number(plan['stages']) - 1)],
      entries: [entryFor(context, plan, group, 'plan.completed', { plan: id })],
      launch: [],
    };
  const errorMessage = context.say(phrase.agentStageFailed({ stage: move.failedStage }));
  const ends = await Promise.all(
    agents
      .filter((row) => move.agentIds.includes(text(row, 'id')))
      .map((row) => endAgent(context, row, endWithoutWork('cancelled', errorMessage))),
  );
  return {
    writes: [movePlan(context, plan, 'stopped', move.failedStage), ...ends.flatMap((one) => one.writes)],
    entries: [
      entryFor(context, plan, group, 'plan.stopped', { plan: id, failedStage: move.failedStage }),
      ...ends.flatMap((one) => one.entries),
    ],
    launch: [],
  };
}

function movePlan(context: FleetContext, plan: Row, status: string, stage: number): Write {
  return {
    sql: `update fleet_plan set current = :stage, status = :status, moved_at = :at, revision = revision + 1
      where id = :id and revision = :revision`,
    args: { id: text(plan, 'id'), revision: Number(plan['revision']), stage, status, at: context.now().toISOString() },
    rows: 1,
  };
}

function claimAgent(context: FleetContext, id: string, earlier: string): Write {
  return {
    sql: `update fleet_agent set started = 1, claimed_at = :at, prompt = prompt || :earlier, revision = revision + 1
      where id = :id and status = 'queued' and started = 0`,
    args: { id, at: context.now().toISOString(), earlier },
    rows: 1,
  };
}
