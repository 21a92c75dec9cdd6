import { homedir } from 'node:os';
import type { SandboxSetting } from '../../sandbox/port.ts';
import { TreeRefusal } from '../../change/index.ts';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Row } from '../../kernel/store/store.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { agents, cancelAgent, fleetIsolation, startInstance } from '../../fleet/index.ts';
import { instanceCallbacks } from './callbacks.ts';
import { claimWrites } from './instance-writes.ts';
import { isRunning, pairQuery } from '../session/pairs.ts';
import { findNextTask } from '../task/next-task.ts';
import { changeTask } from '../task/change.ts';
import { selectTasks, toTask } from '../task/task.ts';
import { folderOfTask, planTaskTree } from '../task/task-tree.ts';
import { phrase } from '../problem.ts';
import { settings } from '../settings.ts';

/** The Runner's dependencies. */
export interface RunnerHands {
  /** Identical for every Runner in the same place, so that the next Runner finds the instances of the last one. */
  readonly name: string;
  passkeyOf(agentId: string): string | undefined;
  /** Returns the project that an agent's own server serves in the folder, with its settings. */
  placeOf(folder: string): Promise<Pick<Context, 'project' | 'settings'> & { readonly sandbox: SandboxSetting }>;
}

export interface PairId {
  readonly agentId: string;
  readonly projectId: string;
}

/** An instance, as `list_agents` shows it. */
export interface Instance extends PairId {
  readonly instance: string;
  /** The title of the task for which it was started. */
  readonly task?: string | undefined;
}

export interface Pair extends PairId {
  readonly folder: string;
  readonly aiType: string;
}

const toolsets: readonly Toolset[] = ['gate', 'work', 'phase', 'upstream'];

/** The reason why a pair that has work is not started. */
export type Waiting =
  | { readonly for: 'room' }
  /** Another Runner or session has just started it. */
  | { readonly for: 'other' }
  | { readonly for: 'rest'; readonly failures: number; readonly until: string }
  | { readonly for: 'person' | 'tree'; readonly reason: string; readonly task?: string | undefined };

export type Attempt = Pick<Instance, 'instance' | 'task'> | { readonly waits: Waiting };

/** Starts an instance of the pair unless it runs already. The claim and the instance are one commit. */
export async function startPair(context: Context, hands: RunnerHands, pair: Pair): Promise<Attempt> {
  const { agentId, projectId, aiType } = pair;
  // The tilde is expanded here, because the home folder depends on the Runner's machine.
  const folder = pair.folder.replace(/^~(?=\/|$)/, homedir());
  const program = programFor(context, aiType);
  const passkey = hands.passkeyOf(agentId);
  const lacks = async (reason: Sentence): Promise<Attempt> => {
    const { task } = await findNextTask(context, agentId, projectId);
    return { waits: { for: 'person', reason: context.say(reason), task: task?.title } };
  };
  if (program === undefined) return lacks(phrase.runnerNoProgram({ aiType }));
  if (passkey === undefined) return lacks(phrase.runnerNoPasskey({ agentId }));
  const now = context.now();
  const [[row] = []] = await context.store.read([pairQuery(agentId, projectId)]);
  if (row === undefined || isRunning(row, now.toISOString())) return { waits: { for: 'other' } };
  const rest = restOf(context, row);
  if (rest !== undefined) return { waits: rest };
  const leaseMs = settings.of(context).work.leaseSeconds * 1000;
  const claim = context.newId('claim-');
  const { project, settings: configured, sandbox } = await hands.placeOf(folder);
  const there = { ...context, project, settings: configured };
  const { task, waits } = await findNextTask(there, agentId, projectId);
  const [wait] = waits;
  if (task === undefined)
    return wait === undefined
      ? { waits: { for: 'other' } }
      : { waits: { for: wait.for === 'tree' ? 'tree' : 'person', reason: wait.reason, task: wait.task.title } };
  const planned = await planTaskTree(there, task, fleetIsolation(there)).catch((error: unknown) => {
    if (error instanceof TreeRefusal) return error;
    throw error;
  });
  if (planned instanceof TreeRefusal)
    return { waits: { for: 'tree', reason: context.say(planned.sentence), task: task.title } };
  const cwd = folderOfTask(planned?.change, folder);
  const instance = await startInstance(
    there,
    {
      name: agentId,
      ...program,
      prompt: context.say(phrase.runnerPrompt({ agentId, projectId, folder: cwd })),
      workingDirectory: cwd,
      change: planned?.change.id,
      timeoutMs: settings.of(context).runner.timeoutMs,
      toolsets,
      sandbox,
      identity: agentId,
      callbacks: instanceCallbacks({ claim, agentId, projectId, leaseMs, state: project.state }),
      secrets: { AGENT_ID: agentId, PROJECT_ID: projectId, AGENT_PASSKEY: passkey },
    },
    [
      ...claimWrites(
        { claim, agentId, projectId, runner: hands.name, task: task.id, failures: Number(row['failures']) },
        { at: now.toISOString(), until: new Date(now.getTime() + leaseMs).toISOString() },
      ),
      ...(planned?.writes ?? []),
    ],
    [
      entry(context, agentId, 'instance.claimed', { project: projectId, runner: hands.name, task: task.id }),
      ...(planned?.entries ?? []),
    ],
  );
  return instance === undefined ? { waits: { for: 'other' } } : { instance, task: task.title };
}

/** Blocks the tasks at which too many attempts failed. A person starts them again. */
export async function blockSpentTasks(context: Context): Promise<void> {
  const now = context.now().toISOString();
  const [rows = []] = await context.store.read([
    {
      sql: `${selectTasks} where t.attempts >= :most and t.status in ('todo', 'in_progress') and t.reported is null
        and not exists (select 1 from work_assignment c where c.claim_task = t.id and c.claim_expires_at > :now)`,
      args: { most: settings.of(context).budget.attempts, now },
    },
  ]);
  for (const { id, status, attempts, failure } of rows.map(toTask)) {
    const reason = context.say(phrase.attemptsSpent({ attempts, why: failure }));
    await changeTask(context, id, async (current) => ({
      fields:
        current.status === status && current.attempts >= attempts
          ? { status: 'blocked', session: null, summary: reason }
          : {},
      note: { reason },
    }));
  }
}

function programFor(
  context: Context,
  aiType: string,
): { readonly cli: string; readonly command?: readonly string[] } | undefined {
  const command = settings.of(context).runner.commands[aiType];
  if (command !== undefined) return { cli: 'command', command };
  const known = agents.find((one) => one.id === aiType && one.program !== undefined);
  return known === undefined ? undefined : { cli: known.id };
}

/** Returns the remaining cooldown of a pair after failures; it grows with the failures in a row. */
function restOf(context: Context, row: Row): Waiting | undefined {
  const failures = Number(row['failures']);
  const failedAt = optional(row, 'failed_at');
  if (failures === 0 || failedAt === null) return undefined;
  const { cooldownMs, maxCooldownMs } = settings.of(context).runner;
  const until = Date.parse(failedAt) + cooldownAfter(failures, cooldownMs, Math.max(cooldownMs, maxCooldownMs));
  return until <= context.now().getTime() ? undefined : { for: 'rest', failures, until: new Date(until).toISOString() };
}

export function cooldownAfter(failures: number, firstMs: number, mostMs: number): number {
  return failures === 0 ? 0 : Math.min(firstMs * 2 ** (failures - 1), mostMs);
}

/** Lists the running instances of this Runner and of earlier Runners in the same place. */
export async function instancesOf(context: Context, hands: RunnerHands): Promise<readonly Instance[]> {
  const [rows = []] = await context.store.read([
    {
      sql: `select w.agent_id as agent_id, w.project_id as project_id, w.claim_agent as claim_agent, t.title as title
        from work_assignment w left join work_task t on t.id = w.claim_task
        where w.claim_runner = :runner and w.claim_expires_at > :now order by w.agent_id, w.project_id`,
      args: { runner: hands.name, now: context.now().toISOString() },
    },
  ]);
  return rows.map((row) => ({
    agentId: text(row, 'agent_id'),
    projectId: text(row, 'project_id'),
    // The column is null until the host is up.
    instance: optional(row, 'claim_agent') ?? '',
    task: optional(row, 'title') ?? undefined,
  }));
}

export async function stopInstances(context: Context, hands: RunnerHands): Promise<number> {
  const live = (await instancesOf(context, hands)).filter(({ instance }) => instance !== '');
  const stopped = await Promise.all(live.map(({ instance }) => cancelAgent(context, instance)));
  return stopped.filter(Boolean).length;
}
