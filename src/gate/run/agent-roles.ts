import { type AgentRoles, configuredAgentRoles, personRole } from '../../kernel/role.ts';
import { agentRolesIn, decidingRoles } from '../definition/agents-role.ts';
import { listDefinitions } from '../definition/catalogue.ts';

/**
 * Roles that an agent may have in some process here, of those that a person saw: any other could make an agent of that person.
 * Which of them it may have in a run, that run's own definition says.
 */
export const agentRoles: AgentRoles = async (context) => {
  const configured = configuredAgentRoles.of(context);
  const seen = (await listDefinitions(context)).filter((one) => one.trust !== 'never');
  const definitions = seen.flatMap((one) => one.definition ?? []);
  const deciding = new Set(definitions.flatMap((one) => [...decidingRoles(one)]));
  const named = [...configured, ...definitions.flatMap((one) => [...agentRolesIn(one, [])])];
  return new Set(named.filter((name) => name !== personRole && !deciding.has(name)));
};
