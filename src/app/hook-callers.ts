import { agentCaller } from '../kernel/callers.ts';
import type { Environment } from '../base/environment.ts';
import { listAncestors, processName } from '../machine/ancestors.ts';

/** Every parent process, and the agent that the environment names. A hook only asks, so it need not know its client. */
export async function hookCallers(env: Environment): Promise<readonly string[]> {
  return [...(await listAncestors()).map(processName), ...agentIn(env)];
}

/** The agent that the environment names. The variable needs no proof: it can only add restrictions. */
export function agentIn(env: Environment): readonly string[] {
  const id = env['SEKISHO_AGENT_ID'];
  return id === undefined || id === '' ? [] : [agentCaller(id)];
}
