import { choice, defineSettings, text } from './setting.ts';

/** Who acts, as far as the configuration and whoever started this process have a say in it. */
export const identitySettings = defineSettings({
  /** `required`: nobody acts for an agent without its session. */
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
