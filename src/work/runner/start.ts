import { homedir } from 'node:os';
import type { SandboxSetting } from '../../sandbox/port.ts';
import type { Context, Project } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Row } from '../../kernel/store/store.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { agents, cancelAgent, startInstance } from '../../fleet/index.ts';
import { instanceCallbacks } from './callbacks.ts';
import { isRunning, pairQuery } from '../session/pairs.ts';
import { phrase } from '../problem.ts';
import { settings } from '../settings.ts';

/** The Runner's dependencies. */
export interface RunnerHands {
  /** Identical for every Runner in the same place, so that the next Runner finds the instances of the last one. */
  readonly name: string;
  passkeyOf(agentId: string): string | undefined;
  /** Returns the project that an agent's own server serves in the folder, and the sandbox setting there. */
  placeOf(folder: string): Promise<{ readonly project: Project; readonly sandbox: SandboxSetting }>;
}

export interface PairId {
  readonly agentId: string;
  readonly projectId: string;
}

/** An instance, as `list_agents` shows it. */
export interface Instance extends PairId {
  readonly instance: string;
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
  | { readonly for: 'person'; readonly reason: string };

export type Attempt = { readonly instance: string } | { readonly waits: Waiting };

/** Starts an instance of the pair unless it runs already. The claim and the instance are one commit. */
export async function startPair(context: Context, hands: RunnerHands, pair: Pair): Promise<Attempt> {
  const { agentId, projectId, aiType } = pair;
  // The tilde is expanded here, because the home folder depends on the Runner's machine.
  const folder = pair.folder.replace(/^~(?=\/|$)/, homedir());
  const program = programFor(context, aiType);
  const passkey = hands.passkeyOf(agentId);
  const lacks = (reason: Sentence): Attempt => ({ waits: { for: 'person', reason: context.say(reason) } });
  if (program === undefined) return lacks(phrase.runnerNoProgram({ aiType }));
  if (passkey === undefined) return lacks(phrase.runnerNoPasskey({ agentId }));
  const now = context.now();
  const [[row] = []] = await context.store.read([pairQuery(agentId, projectId)]);
  if (row === undefined || isRunning(row, now.toISOString())) return { waits: { for: 'other' } };
  const rest = restOf(context, row);
  if (rest !== undefined) return { waits: rest };
  const leaseMs = settings.of(context).work.leaseSeconds * 1000;
  const claim = context.newId('claim-');
  const { project, sandbox } = await hands.placeOf(folder);
  const instance = await startInstance(
    { ...context, project },
    {
      name: agentId,
      ...program,
      prompt: context.say(phrase.runnerPrompt({ agentId, projectId, folder })),
      workingDirectory: folder,
      timeoutMs: settings.of(context).runner.timeoutMs,
      toolsets,
      sandbox,
      identity: agentId,
      callbacks: instanceCallbacks({ claim, agentId, projectId, leaseMs, state: project.state }),
      secrets: { AGENT_ID: agentId, PROJECT_ID: projectId, AGENT_PASSKEY: passkey },
    },
    [
      {
        sql: `update work_assignment set claim = :claim, claim_runner = :runner, claim_agent = null, claim_log = null, claim_expires_at = :until
          where agent_id = :agent and project_id = :project and failures = :failures
            and (claim is null or claim_expires_at <= :now) and (session is null or session_expires_at <= :now)`,
        args: {
          claim,
          runner: hands.name,
          agent: agentId,
          project: projectId,
          failures: Number(row['failures']),
          now: now.toISOString(),
          until: new Date(now.getTime() + leaseMs).toISOString(),
        },
        rows: 1,
      },
    ],
    [entry(context, agentId, 'instance.claimed', { project: projectId, runner: hands.name })],
  );
  return instance === undefined ? { waits: { for: 'other' } } : { instance };
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
      sql: `select agent_id, project_id, claim_agent from work_assignment
        where claim_runner = :runner and claim_expires_at > :now order by agent_id, project_id`,
      args: { runner: hands.name, now: context.now().toISOString() },
    },
  ]);
  return rows.map((row) => ({
    agentId: text(row, 'agent_id'),
    projectId: text(row, 'project_id'),
    // The column is null until the host is up.
    instance: optional(row, 'claim_agent') ?? '',
  }));
}

export async function stopInstances(context: Context, hands: RunnerHands): Promise<number> {
  const live = (await instancesOf(context, hands)).filter(({ instance }) => instance !== '');
  const stopped = await Promise.all(live.map(({ instance }) => cancelAgent(context, instance)));
  return stopped.filter(Boolean).length;
}
