import type { Context } from './context.ts';
import { definePort } from './port.ts';

/** What everybody is who proved nothing. */
export const agentRole = 'agent';
/** A person's, where they name no other. */
export const personRole = 'human';

/** Which roles beside `agent` may be an agent's: those of which a definition or the configuration says `kind: agent`. */
export type AgentRoles = (context: Pick<Context, 'settings' | 'project' | 'ports'>) => Promise<ReadonlySet<string>>;

/** Where nobody says it of a role, that role is a person's. */
export const agentRolesPort = definePort<AgentRoles>('agent-roles', async () => new Set());

/** Of which the configuration says it. */
export const configuredAgentRoles = definePort<readonly string[]>('configured-agent-roles', []);
