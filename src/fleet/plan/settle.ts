import type { Sentence } from '../../kernel/text/text.ts';
import { phrase } from '../problem.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { optional, parsed, text } from '../../kernel/store/row.ts';
import { advancePlans, runApart } from './advance.ts';
import { type End, endAgent, entryFor } from '../agent-rows.ts';
import type { FleetContext } from '../fleet-context.ts';
import { isAlive } from '../../machine/identity.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import { agentTree } from '../host/spawn-host.ts';
import { forgetLeftovers, reconstructWork, removeLeftovers } from '../host/leftovers.ts';
import { recordOwnTree } from '../host/own-tree.ts';
import type { Spec } from '../host/spec.ts';
import { endTree } from '../../machine/tree.ts';

/**
 * The time a host has to claim its agent before another one is started; two of them do no harm, since only one can
 * claim. The time doubles with each attempt: when many start at once they are only late, and more of them would make it
 * worse.
 */
const hostStartMs = 5000;
const mostAttempts = 5;
/** The time for a host that cannot be started again, because its secrets are stored nowhere. */
const onlyHostMs = 15_000;
/** The silence after which an agent of another machine counts as lost; its processes cannot be seen from here. */
const silentMs = 30_000;

const open: Query = {
  sql: `select id, project, status, cli, machine, host, host_pid, host_start, child_pid, child_start, reaped, beat, claimed_at,
      attempts, spec, report, revision from fleet_agent
    where status = 'running' or (status = 'queued' and started = 1) or reaped = 0`,
  args: {},
};

/**
 * Looks after all active agents: detects dead hosts, cleans up after them, restarts hosts that never came up, and
 * starts the next stages. Any process may call this at any time; commits in the store decide who was first.
 */
export async function settle(context: FleetContext): Promise<void> {
  const [rows = []] = await context.store.read([open]);
  for (const row of rows) await runApart(context, text(row, 'id'), () => settleAgent(context, row));
  await advancePlans(context);
}

async function settleAgent(context: FleetContext, row: Row): Promise<void> {
  const here = row['machine'] === thisMachine();
  if (row['status'] === 'queued') {
    if (waitedTooLong(context, row, here)) await startAgain(context, row, here);
    return;
  }
  if (here) {
    if (hostLives(row)) return;
    await endTree(treeOf(row), 0); // No grace period: nothing reads their output any more.
    // Leftovers are removed after the end is recorded: the work in the tree is read first, and if this process dies in
    // between, the next one removes them.
    if (row['status'] === 'running') {
      // Before the end is recorded, since the next attempt may start in the same tree right after it.
      const change = await recordOwnTree(context, row).catch((error: unknown) => {
        context.log.warn('could not record the tree of a dead host’s agent', {
          agent: row['id'],
          reason: String(error),
        });
        return undefined;
      });
      const work = await reconstructWork(context, row).catch((error: unknown) => {
        context.log.warn('could not read the work of a dead host’s agent', { agent: row['id'], reason: String(error) });
        return undefined;
      });
      const ended = await endDead(context, row, phrase.agentHostDied, work, change);
      if (!ended) return;
    }
    await reap(context, row);
  } else if (row['status'] === 'running' && isSilent(row)) {
    await endDead(context, row, phrase.agentMachineSilent);
  }
}

export function hostLives(row: Row): boolean {
  const start = optional(row, 'host_start');
  return row['host_pid'] !== null && start !== null && isAlive(Number(row['host_pid']), start);
}

function treeOf(row: Row) {
  const start = optional(row, 'child_start');
  const root = row['child_pid'] === null || start === null ? undefined : { pid: Number(row['child_pid']), start };
  return agentTree(text(row, 'id'), root);
}

async function endDead(
  context: FleetContext,
  row: Row,
  why: (params: { machine: string }) => Sentence,
  work: Omit<End['automatic'], 'errorMessage'> = { summary: '', editedFiles: [], createdFiles: [] },
  change?: End['change'],
): Promise<boolean> {
  const errorMessage = context.say(why({ machine: text(row, 'machine').replace(/\/.*/, '') }));
  const automatic = { ...work, errorMessage };
  const end = { outcome: 'failed', automatic, exitCode: null, reaped: false, change } as const;
  const { writes, entries } = await endAgent(context, row, end);
  return (await context.store.commit(writes, entries)).done; // On a conflict another process ended it, or it has reported.
}

/** Removes an agent's leftover files, unless work would be lost, and records that its processes are gone. */
async function reap(context: FleetContext, row: Row): Promise<void> {
  const id = text(row, 'id');
  await removeLeftovers(context, row).catch((error: unknown) => {
    // No retry: a person must remove what cannot be removed now.
    context.log.warn('could not remove the leftovers of a dead host', { agent: id, reason: String(error) });
  });
  const outcome = await context.store.commit(
    [
      {
        sql: `update fleet_agent set reaped = 1 where id = :id and status not in ('queued', 'running') and reaped = 0`,
        args: { id },
        rows: 1,
      },
    ],
    [entryFor(context, row, id, 'agent.reaped', {})],
  );
  if (outcome.done) forgetLeftovers(row);
}

/** When this process first saw the last heartbeat of agents elsewhere: the clocks of two machines may differ. */
const seen = new Map<string, { readonly mark: string; readonly at: number }>();

function unchangedFor(row: Row, mark: string): number {
  const id = text(row, 'id');
  const before = seen.get(id);
  if (before?.mark === mark) return performance.now() - before.at;
  if (seen.size > 10_000) seen.clear();
  seen.set(id, { mark, at: performance.now() });
  return 0;
}

function isSilent(row: Row): boolean {
  return unchangedFor(row, `beat ${row['beat']}`) > silentMs;
}

function waitedTooLong(context: FleetContext, row: Row, here: boolean): boolean {
  if (!here) return unchangedFor(row, `attempt ${row['attempts']}`) > silentMs;
  const claimed = optional(row, 'claimed_at');
  const patience = needsSecrets(row) ? onlyHostMs : hostStartMs * 2 ** (Number(row['attempts']) - 1);
  return claimed === null || context.now().getTime() - Date.parse(claimed) > patience;
}

function needsSecrets(row: Row): boolean {
  return (parsed(row, 'spec') as Spec | null)?.secrets === true;
}

async function startAgain(context: FleetContext, row: Row, here: boolean): Promise<void> {
  const id = text(row, 'id');
  const attempts = Number(row['attempts']);
  if (!here || attempts >= mostAttempts || needsSecrets(row)) {
    await endDead(context, row, here ? phrase.agentHostMissing : phrase.agentMachineSilent);
    return;
  }
  const at = context.now().toISOString();
  const outcome = await context.store.commit(
    [
      {
        sql: `update fleet_agent set attempts = attempts + 1, claimed_at = :at
          where id = :id and status = 'queued' and attempts = :attempts`,
        args: { id, at, attempts },
        rows: 1,
      },
    ],
    [entryFor(context, row, id, 'agent.host_started_again', { attempt: attempts + 1 })],
  );
  if (outcome.done) await context.launch(id);
}
