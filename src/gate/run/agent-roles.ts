import { type AgentRoles, configuredAgentRoles, personRole } from '../../kernel/role.ts';
import { agentRolesIn, decidingRoles } from '../definition/agents-role.ts';
import { listDefinitions } from '../definition/catalogue.ts';

/**
 * Lists the roles that agents may have in some process that a person has trusted. Untrusted definitions do not count: they
 * could turn a person's role into an agent's. In a run, its own definition decides which of these roles apply.
 */
export const agentRoles: AgentRoles = async (context) => {
  const configured = configuredAgentRoles.of(context);
  const seen = (await listDefinitions(context)).filter((one) => one.trust !== 'never');
  const definitions = seen.flatMap((one) => one.definition ?? []);
  const deciding = new Set(definitions.flatMap((one) => [...decidingRoles(one)]));
  const named = [...configured, ...definitions.flatMap((one) => [...agentRolesIn(one, [])])];
  return new Set(named.filter((name) => name !== personRole && !deciding.has(name)));
};
