import type { OperationCall } from '../kernel/application.ts';
import { type Callers, noCallers } from '../kernel/callers.ts';
import type { Environment } from '../base/environment.ts';
import { agents } from '../fleet/agents.ts';
import { agentIn } from './hook-callers.ts';
import { listAncestors, processName } from '../machine/ancestors.ts';
import { runsOneOf } from '../machine/runs-program.ts';
import { thisProcess } from '../machine/identity.ts';

const programs: ReadonlySet<string> = new Set(
  agents.flatMap(({ program, otherNames = [] }) => (program === undefined ? [] : [program, ...otherNames])),
);

/** The callers of a process that a client started: a stdio server, a command or a hook. */
export async function ownCallers(env: Environment): Promise<Callers> {
  const above = await listAncestors();
  const client = above.find(({ pid }) => runsOneOf(pid, programs));
  return { client: client && processName(client), all: [...above.map(processName), ...agentIn(env)] };
}

/** The callers of a request with a token or through a socket. A sandbox session is one client; other tokens identify none. */
export function callersBy({ principal }: Pick<OperationCall, 'principal'>): Callers {
  const identity = principal?.identity ?? '';
  return identity.startsWith('session:') ? { client: identity, all: [identity] } : noCallers;
}

/** The callers of a sandboxed agent, which its host serves. */
export function hostCallers(env: Environment): Callers {
  const host = processName(thisProcess());
  return { client: host, all: [host, ...agentIn(env)] };
}
