import type { OperationCall } from '../kernel/application.ts';
import { type Callers, noCallers } from '../kernel/callers.ts';
import type { Environment } from '../base/environment.ts';
import { agents } from '../fleet/agents.ts';
import { agentIn } from './hook-callers.ts';
import { ancestors, processName } from '../machine/ancestors.ts';
import { runsOneOf } from '../machine/runs-program.ts';
import { thisProcess } from '../machine/identity.ts';

const programs: ReadonlySet<string> = new Set(
  agents.flatMap(({ program, otherNames = [] }) => (program === undefined ? [] : [program, ...otherNames])),
);

/** Of a process that a client started: a stdio server, a command, a hook. */
export async function ownCallers(env: Environment): Promise<Callers> {
  const above = await ancestors();
  const client = above.find(({ pid }) => runsOneOf(pid, programs));
  return {
    client: client && processName(client),
    all: [...above.map(processName), ...agentIn(env)],
  };
}

/** Of whoever shows a token or comes through a socket: a session of a sandbox is one client; any other token may be anybody's. */
export function callersBy({ principal }: Pick<OperationCall, 'principal'>): Callers {
  const identity = principal?.identity ?? '';
  return identity.startsWith('session:') ? { client: identity, all: [identity] } : noCallers;
}

/** Of an agent in a sandbox, which its host serves. */
export function hostCallers(env: Environment): Callers {
  const host = processName(thisProcess());
  return { client: host, all: [host, ...agentIn(env)] };
}
