import type { Config } from '../config/load.ts';
import { type AgentMarks, isAgentClient, markIn } from '../kernel/agent-marks.ts';
import type { OperationCall } from '../kernel/application.ts';
import type { Actor } from '../kernel/context.ts';
import { type Principal, isOneCaller } from '../kernel/principal.ts';
import { refusal } from '../kernel/problem.ts';
import { agentRole, personRole } from '../kernel/role.ts';

export interface Who {
  readonly config: Pick<Config, 'role' | 'terminal' | 'user' | 'environment'>;
  readonly agents: readonly AgentMarks[];
  /** The principal of the token that this process was started with. Throws if the token is not valid. */
  readonly owner: () => Promise<Principal | undefined>;
  /** The roles beside `agent` that an agent may have. */
  readonly agentRoles: () => Promise<ReadonlySet<string>>;
}

/**
 * Returns a function that determines the actor of a call. The default is an agent. A person's role needs proof: a person's
 * token, or a terminal with this command in its foreground. `--role`, `SEKISHO_ROLE` or a header only request a role.
 */
export function actorsOf({ config, agents, owner, agentRoles }: Who): (call: OperationCall) => Promise<Actor> {
  const mark = markIn(agents, config.environment);
  const os = `os:${config.user}`;

  /** The actor of a call whose token the surface has checked. Our own environment says nothing about such a caller. */
  const byToken = (principal: Principal, client: string | undefined): Actor => {
    const { role, identity, person } = principal;
    const isAgents = client !== undefined && isAgentClient(agents, client);
    if (person && isAgents) throw refusal.claim({ role, evidence: `client ${client}` });
    return { role, id: identity, verified: isOneCaller(principal), person, ...knownBy(principal) };
  };

  /** The actor of a call without a principal: this process itself. */
  const byProcess = async ({ agentOnly }: OperationCall): Promise<Actor> => {
    const token = await owner();
    const own = token !== undefined && !token.person ? token : undefined;
    const proof =
      agentOnly === true || mark !== undefined || own !== undefined
        ? undefined
        : (token?.identity ?? (config.terminal ? os : undefined));
    const role = config.role ?? own?.role ?? (proof === undefined ? agentRole : personRole);
    const agent = { role, id: own?.identity ?? os, verified: own !== undefined && isOneCaller(own), person: false };
    if (role === agentRole) return agent;
    if (isReserved(role)) throw refusal.reserved({ role });
    if ((await agentRoles()).has(role)) return agent;
    if (proof !== undefined) return { role, id: proof, verified: true, person: true, ...knownBy(token) };
    if (mark !== undefined) throw refusal.claim({ role, evidence: mark });
    throw agentOnly === true ? refusal.server({ role }) : refusal.proof({ role });
  };

  return async (call) => {
    // Sekisho itself acts, without a token.
    if (call.as !== undefined) return { role: call.as, id: os, verified: false, person: false };
    return call.principal === undefined ? await byProcess(call) : byToken(call.principal, call.client);
  };
}

function knownBy(principal: Principal | undefined): Pick<Actor, 'userDatabase'> {
  const { person, userDatabase } = principal ?? {};
  return person === true && userDatabase !== undefined ? { userDatabase } : {};
}

/** Whether a role is reserved for Sekisho itself in the journal. */
export function isReserved(role: string): boolean {
  return role === 'system' || role === 'runner';
}

/** The principal in the role that a request wants; undefined if it may not have that role. */
export async function principalInRole(
  principal: Principal,
  wanted: string,
  agentRoles: () => Promise<ReadonlySet<string>>,
): Promise<Principal | undefined> {
  const role = wanted.trim();
  if (isReserved(role)) return undefined;
  if (role === agentRole || role === principal.role)
    return { ...principal, role, person: principal.person && role !== agentRole };
  const isAgents = (await agentRoles()).has(role);
  return isAgents || principal.person ? { ...principal, role, person: !isAgents } : undefined;
}
