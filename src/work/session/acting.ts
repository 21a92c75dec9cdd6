import type { Actor, Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import { problem, refusal } from '../problem.ts';
import type { Task } from '../task/task.ts';
import { identitySettings } from '../../kernel/identity.ts';

function ownAgent(actor: Actor): string | undefined {
  return actor.verified && !actor.person ? actor.id : undefined;
}

function named(context: Context, agentId: string, verified: boolean): Context {
  return { ...context, actor: { role: context.actor.role, id: agentId, verified, person: false } };
}

/** Lists the agents that have a live session over this connection. */
async function provenAgents(context: Context): Promise<readonly string[]> {
  if (context.connection === undefined) return [];
  const [rows = []] = await context.store.read([
    {
      sql: `select s.agent_id as agent_id from work_session s join work_assignment a on a.session = s.hash
        where s.connection = :connection and a.session_expires_at > :now`,
      args: { connection: context.connection.id, now: context.now().toISOString() },
    },
  ]);
  return rows.map((row) => text(row, 'agent_id'));
}

/** Returns the context with the agent as its actor. The actor's `verified` says whether the agent authenticated. */
export async function actAs(context: Context, agentId: string): Promise<Context> {
  if (context.actor.person) return context;
  const own = ownAgent(context.actor);
  if (own !== undefined && own !== agentId) throw refusal.identity({ own, named: agentId });
  const proven = own === agentId || (await provenAgents(context)).includes(agentId);
  if (!proven && identitySettings.of(context).identity === 'required') throw refusal.unproven({ agent: agentId });
  return named(context, agentId, proven);
}

/** The context of a call that names no agent: its actor is the agent of this connection, if that is known. */
export async function actAsSelf(context: Context): Promise<Context> {
  if (context.actor.person || ownAgent(context.actor) !== undefined) return context;
  const proven = await provenAgents(context);
  const [only] = proven;
  if (only !== undefined && proven.length === 1) return named(context, only, true);
  if (only === undefined && identitySettings.of(context).identity === 'required')
    throw refusal.unproven({ agent: undefined });
  return context;
}

/** Returns the agent that a context acts for, if the agent authenticated. */
export function provenAgent(context: Context): string | undefined {
  return ownAgent(context.actor);
}

/** The context of a call with a session token, which proves its agent. A connection of another agent may not use it. */
export function actBySession(context: Context, agentId: string): Context {
  const own = ownAgent(context.actor);
  if (own !== undefined && own !== agentId) throw refusal.identity({ own, named: agentId });
  return context.actor.person ? context : named(context, agentId, true);
}

/** Throws if a live session works on the task, unless the caller is its authenticated agent or a person. */
export function refuseClaimed(context: Context, task: Task): void {
  if (task.claim === undefined || context.actor.person || task.claim.agentId === provenAgent(context)) return;
  throw problem.TASK_CLAIMED(
    { task_id: task.id, agent_id: task.claim.agentId },
    { claimed_by: task.claim.agentId, claimed_until: task.claim.until },
  );
}
