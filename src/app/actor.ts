import type { Config } from '../config/load.ts';
import { type AgentMarks, isAgentClient, markIn } from '../kernel/agent-marks.ts';
import type { OperationCall } from '../kernel/application.ts';
import type { Actor } from '../kernel/context.ts';
import { type Principal, isSomebody } from '../kernel/principal.ts';
import { refusal } from '../kernel/problem.ts';
import { agentRole, personRole } from '../kernel/role.ts';

export interface Who {
  readonly config: Pick<Config, 'role' | 'terminal' | 'user' | 'environment'>;
  readonly agents: readonly AgentMarks[];
  /** Whose token this process was started with. Throws where it is nobody's. */
  readonly owner: () => Promise<Principal | undefined>;
  /** Roles beside `agent` that an agent may have. */
  readonly agentRoles: () => Promise<ReadonlySet<string>>;
}

/**
 * Who is calling. The default is an agent. A role that is a person's needs proof: a person's token, or a terminal in whose
 * foreground this command runs. `--role`, `SEKISHO_ROLE`, a header or a client's name only say which role is wanted.
 */
export function actorsOf({ config, agents, owner, agentRoles }: Who): (call: OperationCall) => Promise<Actor> {
  const mark = markIn(agents, config.environment);
  const os = `os:${config.user}`;

  /** Over a surface that checked a token itself: whose environment we have says nothing about its caller. */
  const byToken = (principal: Principal, client: string | undefined): Actor => {
    const { role, identity, person } = principal;
    const isAgents = client !== undefined && isAgentClient(agents, client);
    if (person && isAgents) throw refusal.claim({ role, evidence: `client ${client}` });
    return { role, id: identity, verified: isSomebody(principal), person, ...knownBy(principal) };
  };

  const here = async ({ agentOnly }: OperationCall): Promise<Actor> => {
    const token = await owner();
    const own = token !== undefined && !token.person ? token : undefined;
    const proof =
      agentOnly === true || mark !== undefined || own !== undefined
        ? undefined
        : (token?.identity ?? (config.terminal ? os : undefined));
    const role = config.role ?? own?.role ?? (proof === undefined ? agentRole : personRole);
    const agent = { role, id: own?.identity ?? os, verified: own !== undefined && isSomebody(own), person: false };
    if (role === agentRole) return agent;
    if (isReserved(role)) throw refusal.reserved({ role });
    if ((await agentRoles()).has(role)) return agent;
    if (proof !== undefined) return { role, id: proof, verified: true, person: true, ...knownBy(token) };
    if (mark !== undefined) throw refusal.claim({ role, evidence: mark });
    throw agentOnly === true ? refusal.server({ role }) : refusal.proof({ role });
  };

  return async (call) => {
    // What Sekisho does by itself: it has no token to show.
    if (call.as !== undefined) return { role: call.as, id: os, verified: false, person: false };
    return call.principal === undefined ? await here(call) : byToken(call.principal, call.client);
  };
}

function knownBy(principal: Principal | undefined): Pick<Actor, 'userDatabase'> {
  const { person, userDatabase } = principal ?? {};
  return person === true && userDatabase !== undefined ? { userDatabase } : {};
}

/** Names of what Sekisho does by itself, in the journal. */
export function isReserved(role: string): boolean {
  return role === 'system' || role === 'runner';
}

/** The principal in the role that a request wants; undefined where it may not have that one. */
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
