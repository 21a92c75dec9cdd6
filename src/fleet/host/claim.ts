import { agentCaller } from '../../kernel/callers.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Moment } from '../../kernel/callback.ts';
import type { Row, Write } from '../../kernel/store/store.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import type { Outcome } from '../view/state.ts';
import { makeToken, tokenWrite } from '../../kernel/token.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import { endOwn, endWithoutWork, entryFor, readAgent, tokenLabel } from '../agent-rows.ts';
import type { FleetContext } from '../fleet-context.ts';
import { bindWrite } from '../../gate/index.ts';
import { processName } from '../../machine/ancestors.ts';
import { thisProcess } from '../../machine/identity.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import type { Spec } from './spec.ts';
import { phrase } from '../problem.ts';

export interface ClaimedAgent {
  readonly id: string;
  readonly row: Row;
  readonly spec: Spec;
  /** Identifies the host: only the host that knows the nonce can change the agent. */
  readonly nonce: string;
  /** The token of the agent's own connection to us. */
  readonly token: string;
  readonly startedAt: Date;
}

/** The names by which the store knows this agent's processes: below its host, or with its id in the environment. */
export function agentCallers(id: string): readonly string[] {
  return [processName(thisProcess()), agentCaller(id)];
}

/** A token stays valid this long after the time limit, because ending an agent takes time. */
const tokenSlackMs = 15 * 60 * 1000;

/** Claims a queued agent for this host; undefined if another host has it or it must not run any more. */
export async function claimAgent(context: FleetContext, id: string): Promise<ClaimedAgent | undefined> {
  return retry(
    async () => {
      const row = await readAgent(context, id);
      if (row === undefined || row['status'] !== 'queued' || row['started'] !== 1 || row['host'] !== null)
        return undefined;
      const spec = parsed(row, 'spec') as Spec | null;
      if (spec === null) return undefined;
      const startedAt = context.now();
      const at = startedAt.toISOString();
      const nonce = context.newId('host-');
      const token = makeToken();
      const until = new Date(startedAt.getTime() + (spec.callbacks?.leaseMs ?? 0)).toISOString();
      const expires = new Date(startedAt.getTime() + Number(row['timeout_ms']) + tokenSlackMs).toISOString();
      const own = [
        {
          sql: `update fleet_agent set status = 'running', host = :nonce, host_pid = :pid, host_start = :start, machine = :machine,
            reaped = 0, started_at = :at, beat = beat + 1, beat_at = :at, revision = revision + 1
            where id = :id and revision = :revision and status = 'queued' and started = 1 and host is null`,
          args: { id, revision: Number(row['revision']), nonce, ...thisProcess(), machine: thisMachine(), at },
          rows: 1,
        },
        ...(spec.boundBy ?? []).flatMap((run) => agentCallers(id).map((caller) => bindWrite(caller, run, at))),
        tokenWrite(
          token,
          { role: spec.actorRole, identity: spec.identity ?? id, toolsets: spec.toolsets },
          tokenLabel(id),
          at,
          expires,
        ),
      ];
      const others = await readStartWrites(context, spec, { at, until, agent: id, ended: undefined });
      if (others === undefined) return refuse(context, row, 'failed', phrase.agentOtherBuild());
      const outcome = await context.store.commit(
        [...own, ...others],
        [entryFor(context, row, id, 'agent.started', { role: text(row, 'role') })],
      );
      if (outcome.done) return { id, row, spec, nonce, token, startedAt };
      if (outcome.conflict < own.length) return again;
      // A callback's write conflicted: another process has the resource this agent needs.
      return refuse(context, row, 'cancelled', phrase.agentClaimedElsewhere());
    },
    () => kernelProblem.STORE_BUSY({ what: id }),
  );
}

/** Returns the writes that other modules add to the claim; undefined if this build does not know the callback. */
async function readStartWrites(
  context: FleetContext,
  spec: Spec,
  moment: Moment,
): Promise<readonly Write[] | undefined> {
  if (spec.callbacks === undefined) return [];
  try {
    return await context.callback(spec.callbacks.start, moment);
  } catch (error) {
    context.log.error('unknown start callback of an agent', { agent: moment.agent, reason: String(error) });
    return undefined;
  }
}

async function refuse(context: FleetContext, row: Row, outcome: Outcome, why: Sentence): Promise<undefined> {
  const { writes, entries } = endOwn(context, row, endWithoutWork(outcome, context.say(why)));
  // No callback has run, so nothing may be released.
  await context.store.commit(writes, entries);
  return undefined;
}
