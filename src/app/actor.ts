import type { Config } from '../config/load.ts';
import type { AgentMarks } from '../kernel/agent.ts';
import { isAgentClient, markIn } from '../kernel/agent.ts';
import type { Call } from '../kernel/application.ts';
import type { Actor } from '../kernel/context.ts';
import { isPersonal } from '../kernel/role.ts';
import { refusal } from '../kernel/problem.ts';

/** What Sekisho does by itself. Only code in here says so, and it has no token to show. */
const reserved = 'system';

/**
 * Who is calling. An agent that has a shell must not become a person by saying so, nor by a person's token that it
 * found: a token of this process is passed on as not `authenticated` where its role is a person's.
 */
export function actorsOf(
  config: Pick<Config, 'role' | 'interactive' | 'user' | 'environment'>,
  agents: readonly AgentMarks[],
): (call: Call) => Actor {
  const mark = markIn(agents, config.environment);
  return (call) => resolveActor(config, agents, mark, call);
}

function resolveActor(
  config: Pick<Config, 'role' | 'interactive' | 'user'>,
  agents: readonly AgentMarks[],
  mark: string | undefined,
  call: Call,
): Actor {
  const marker = call.authenticated === true ? undefined : mark;
  const role = call.role ?? config.role ?? (config.interactive && marker === undefined ? 'human' : 'agent');
  const fromInside = call.authenticated === true && call.identity === undefined;
  if (role === reserved && !fromInside) throw refusal.claim({ role, evidence: 'it is reserved for Sekisho itself' });
  if (isPersonal(role)) {
    const client =
      call.client !== undefined && isAgentClient(agents, call.client) ? `client ${call.client}` : undefined;
    const evidence = marker ?? client;
    if (evidence !== undefined) throw refusal.claim({ role, evidence });
  }
  return { role, id: call.identity ?? `os:${config.user}`, verified: call.identity !== undefined };
}
