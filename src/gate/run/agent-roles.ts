import { type AgentRoles, configuredAgentRoles, personRole } from '../../kernel/role.ts';
import { agentRolesIn, decidingRoles } from '../definition/agents-role.ts';
import { listDefinitions } from '../definition/catalogue.ts';

/** Lists the roles of agents in trusted processes. An untrusted one could turn a person's role into an agent's. */
export const agentRoles: AgentRoles = async (context) => {
  const configured = configuredAgentRoles.of(context);
  const seen = (await listDefinitions(context)).filter((one) => one.trust !== 'never');
  const definitions = seen.flatMap((one) => one.definition ?? []);
  const deciding = new Set(definitions.flatMap((one) => [...decidingRoles(one)]));
  const named = [...configured, ...definitions.flatMap((one) => [...agentRolesIn(one, [])])];
  return new Set(named.filter((name) => name !== personRole && !deciding.has(name)));
};
