import { readPersonWait } from '../../gate/index.ts';
import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import { phrase } from '../problem.ts';
import { inHand } from '../session/pairs.ts';
import { settings } from '../settings.ts';
import { handedOver } from './handoffs.ts';
import { type Task, isReady, isUnassigned, selectTasks, toTask } from './task.ts';

/** Why a task that an agent could work on is not worked on now. */
export interface TaskWait {
  readonly task: Task;
  /** `attempts`: too many failed; the Runner blocks the task. */
  readonly for: 'person' | 'tree' | 'attempts';
  readonly reason: string;
}

export interface NextTask {
  /** The task that the agent would get; undefined if there is none. */
  readonly task: Task | undefined;
  readonly waits: readonly TaskWait[];
}

/** The number of tasks that are looked at: those behind them wait for these anyway. */
const mostReady = 20;

/**
 * Finds the task that an agent works on next: its oldest in progress, else one that was handed over to it, else the first
 * that is ready. `get_my_task`, the Runner and everybody who asks what waits use it, so they agree.
 */
export async function findNextTask(
  context: Context,
  agent: string,
  project: string,
  skipped: ReadonlySet<string> = new Set(),
): Promise<NextTask> {
  const now = context.now().toISOString();
  const [working = [], handed = [], ready = [], busy = []] = await context.store.read([
    { sql: `${selectTasks} where ${inHand} order by t.started_at, t.ord`, args: { agent, project, now } },
    { sql: `${selectTasks} where ${handedOver} order by t.ord`, args: { agent, project, now } },
    {
      sql: `${selectTasks} join work_project p on p.id = t.project_id
        where t.project_id = :project and ((t.assignee_id = :agent and ${isReady}) or (p.pool = 1 and ${isUnassigned}))
        order by t.priority, t.ord limit ${mostReady}`,
      args: { agent, project, now },
    },
    {
      sql: `select claim_task from work_assignment where claim_task is not null and claim_expires_at > :now
        and not (agent_id = :agent and project_id = :project)`,
      args: { agent, project, now },
    },
  ]);
  const taken = new Set(busy.map((row) => text(row, 'claim_task')));
  const waits: TaskWait[] = [];
  for (const task of [...working, ...handed, ...ready].map(toTask)) {
    if (skipped.has(task.id)) continue;
    const wait = await waitOf(context, task, taken);
    if (wait === undefined) return { task, waits };
    // Another agent works on it: that is no reason to tell anybody.
    if (wait.for !== 'tree' || task.assigneeId !== null) waits.push({ task, ...wait });
  }
  return { task: undefined, waits };
}

async function waitOf(
  context: Context,
  task: Task,
  taken: ReadonlySet<string>,
): Promise<Omit<TaskWait, 'task'> | undefined> {
  if (taken.has(task.id)) return { for: 'tree', reason: context.say(phrase.waitsForTree()) };
  const answer = task.runId === null ? undefined : await readPersonWait(context, task.runId);
  if (answer !== undefined) return { for: 'person', reason: answer };
  if (task.attempts >= settings.of(context).budget.attempts)
    return {
      for: 'attempts',
      reason: context.say(phrase.attemptsSpent({ attempts: task.attempts, why: task.failure })),
    };
  return undefined;
}
