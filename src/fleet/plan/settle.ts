import type { Sentence } from '../../kernel/text.ts';
import { phrase } from '../problem.ts';
import type { Query, Row } from '../../kernel/store.ts';
import { optional, parsed, text } from '../../kernel/row.ts';
import { advancePlans } from './advance.ts';
import { endAgent, entryFor } from '../agent-rows.ts';
import type { FleetContext } from '../fleet-context.ts';
import { isAlive, thisMachine } from '../../machine/identity.ts';
import { agentTree } from '../host/agent-tree.ts';
import type { Spec } from '../host/spec.ts';
import { endTree } from '../../machine/tree.ts';

/** A host that was started and never came is started again; it claims its agent, so two of them do no harm. */
const hostStartMs = 5000;
const mostAttempts = 6;
/** Of another machine, whose processes nobody here can see. */
const silentMs = 30_000;

const open: Query = {
  sql: `select id, project, status, machine, host, host_pid, host_start, child_pid, child_start, reaped, beat, claimed_at, attempts,
      spec, report, revision from fleet_agent
    where status = 'running' or (status = 'queued' and started = 1) or reaped = 0`,
  args: {},
};

/**
 * Looks after everything that is under way: notices hosts that died, ends what they left, starts hosts that never came,
 * and the next stages. Anybody may call it at any time; the store settles who was first.
 */
export async function settle(context: FleetContext): Promise<void> {
  const [rows = []] = await context.store.read([open]);
  for (const row of rows) await settleAgent(context, row);
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
    await endTree(treeOf(row), 0); // Nobody reads what they print any more: no grace.
    if (row['status'] === 'running') await endDead(context, row, phrase.agentHostDied, true);
    else await markReaped(context, row);
  } else if (row['status'] === 'running' && isSilent(row)) {
    await endDead(context, row, phrase.agentMachineSilent, false);
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
  reaped: boolean,
): Promise<void> {
  const errorMessage = context.say(why({ machine: text(row, 'machine').replace(/\/.*/, '') }));
  const automatic = { summary: '', editedFiles: [], createdFiles: [], errorMessage };
  const { writes, entries } = await endAgent(context, row, { outcome: 'failed', automatic, exitCode: null, reaped });
  await context.store.commit(writes, entries); // A conflict: somebody else ended it.
}

async function markReaped(context: FleetContext, row: Row): Promise<void> {
  const id = text(row, 'id');
  await context.store.commit(
    [{ sql: 'update fleet_agent set reaped = 1 where id = :id and reaped = 0', args: { id }, rows: 1 }],
    [entryFor(context, row, id, 'agent.reaped', {})],
  );
}

/** The last sign of life of a foreign agent and when this process first saw it: clocks of two machines may differ. */
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
  return claimed === null || context.now().getTime() - Date.parse(claimed) > hostStartMs;
}

async function startAgain(context: FleetContext, row: Row, here: boolean): Promise<void> {
  const id = text(row, 'id');
  const attempts = Number(row['attempts']);
  if (!here) return endDead(context, row, phrase.agentMachineSilent, true);
  if (attempts >= mostAttempts || (parsed(row, 'spec') as Spec | null)?.secrets === true)
    return endDead(context, row, phrase.agentHostMissing, true);
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
