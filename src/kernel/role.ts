import type { Context } from './context.ts';
import { definePort } from './port.ts';

/** The role of every caller that has proved nothing. */
export const agentRole = 'agent';
/** The role of a person who names no other. */
export const personRole = 'human';

/** The roles that agents may have beside `agent`: those that a definition or the configuration declares with `kind: agent`. */
export type AgentRoles = (context: Pick<Context, 'settings' | 'project' | 'ports'>) => Promise<ReadonlySet<string>>;

/** By default all other roles are people's. */
export const agentRolesPort = definePort<AgentRoles>('agent-roles', async () => new Set());

/** The roles that the configuration declares as agents'. */
export const configuredAgentRoles = definePort<readonly string[]>('configured-agent-roles', []);
