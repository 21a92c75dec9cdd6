import { homedir } from 'node:os';
import type { SandboxWish } from '../../kernel/confine.ts';
import type { Context, Project } from '../../kernel/context.ts';
import { entry } from '../../kernel/journal.ts';
import type { Row } from '../../kernel/store.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { optional, text } from '../../kernel/row.ts';
import { agents, cancelAgent, startInstance } from '../../fleet/index.ts';
import { instanceCallbacks } from './callbacks.ts';
import { isRunning, pairQuery } from '../session/pairs.ts';
import { phrase } from '../problem.ts';
import { settings } from '../settings.ts';

/** What a Runner works with. */
export interface RunnerHands {
  /** The same for every Runner in the same place: the next one finds what the last one started. */
  readonly name: string;
  passkeyOf(agentId: string): string | undefined;
  /** The project that an agent's own server serves there, and whether agents are shut in there. */
  placeOf(folder: string): Promise<{ readonly project: Project; readonly sandbox: SandboxWish }>;
}

export interface Pair {
  readonly agentId: string;
  readonly projectId: string;
  readonly folder: string;
  readonly aiType: string;
}

const toolsets: readonly Toolset[] = ['gate', 'work', 'phase', 'upstream'];

/** Starts an instance of the pair, if nobody else does; returns its id. The claim and the instance are one commit. */
export async function startPair(context: Context, hands: RunnerHands, pair: Pair): Promise<string | undefined> {
  const { agentId, projectId, aiType } = pair;
  // Whose home is meant depends on the machine.
  const folder = pair.folder.replace(/^~(?=\/|$)/, homedir());
  const program = programFor(context, aiType);
  const passkey = hands.passkeyOf(agentId);
  if (program === undefined || passkey === undefined) {
    const reason =
      program === undefined ? `no program for ai_type "${aiType}" (runner.commands)` : 'no passkey (runner.passkeys)';
    warnOnce(context, `${agentId} in ${projectId} cannot be started: ${reason}`);
    return undefined;
  }
  const now = context.now();
  const [[row] = []] = await context.store.read([pairQuery(agentId, projectId)]);
  if (row === undefined || isRunning(row, now.toISOString()) || isCooling(context, row)) return undefined;
  const leaseMs = settings.of(context).work.leaseSeconds * 1000;
  const claim = context.newId('claim-');
  const { project, sandbox } = await hands.placeOf(folder);
  return startInstance(
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
}

const warned = new Set<string>();

/** A round comes every few seconds, and what is missing in the configuration stays missing. */
function warnOnce(context: Context, message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  context.log.warn(message);
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

/** After a failure a pair rests, the longer the more failures there were in a row. */
function isCooling(context: Context, row: Row): boolean {
  const failures = Number(row['failures']);
  const failedAt = optional(row, 'failed_at');
  if (failures === 0 || failedAt === null) return false;
  const { cooldownMs, maxCooldownMs } = settings.of(context).runner;
  return (
    context.now().getTime() - Date.parse(failedAt) <
    restAfter(failures, cooldownMs, Math.max(cooldownMs, maxCooldownMs))
  );
}

export function restAfter(failures: number, firstMs: number, mostMs: number): number {
  return failures === 0 ? 0 : Math.min(firstMs * 2 ** (failures - 1), mostMs);
}

async function claimed(context: Context, hands: RunnerHands): Promise<readonly Row[]> {
  const [rows = []] = await context.store.read([
    {
      sql: 'select claim_agent from work_assignment where claim_runner = :runner and claim_expires_at > :now',
      args: { runner: hands.name, now: context.now().toISOString() },
    },
  ]);
  return rows;
}

export async function countInstances(context: Context, hands: RunnerHands): Promise<number> {
  return (await claimed(context, hands)).length;
}

export async function stopInstances(context: Context, hands: RunnerHands): Promise<number> {
  const rows = (await claimed(context, hands)).filter((row) => row['claim_agent'] !== null);
  const stopped = await Promise.all(rows.map((row) => cancelAgent(context, text(row, 'claim_agent'))));
  return stopped.filter(Boolean).length;
}
