import { choice, defineSettings, text } from './setting.ts';

/** The settings on the identity of agents. */
export const identitySettings = defineSettings({
  /** `required`: a call can act for an agent only with that agent's session. */
  identity: choice(['optional', 'required'], 'optional'),
  /** The agent and the project that a Runner started this process for. */
  instance: {
    agentId: text({ env: 'AGENT_ID', inFile: false }),
    projectId: text({ env: 'PROJECT_ID', inFile: false }),
  },
});

export interface AgentInstance {
  readonly agentId: string;
  readonly projectId: string;
}

export function instanceOf(context: Parameters<typeof identitySettings.of>[0]): AgentInstance | undefined {
  const { agentId, projectId } = identitySettings.of(context).instance;
  return agentId === undefined || projectId === undefined ? undefined : { agentId, projectId };
}
