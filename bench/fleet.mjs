import path from 'node:path';
import { configuration, configure, makeProject } from './project.mjs';
import { startStdio } from './stdio-client.mjs';

export const agentProgram = path.join(import.meta.dirname, 'fixtures', 'agent.mjs');

/** A project whose role `bench` is the smallest agent, and a server in it. */
export async function openFleet(product, maxConcurrent, db) {
  const project = makeProject(db);
  const role = { id: 'bench', cli: 'command', command: [process.execPath, agentProgram] };
  const text = `fleet: { maxConcurrent: ${maxConcurrent} }\nroles: [${JSON.stringify(role)}]\n`;
  configure(project, product, configuration + text);
  const client = startStdio([product.bin, 'mcp'], { cwd: project.root, env: project.env });
  await client.open();
  const { groupId } = await client.call('create_group', { description: 'bench' });
  return {
    project,
    client,
    async start(count, ms) {
      const agents = Array.from({ length: count }, () => ({ role: 'bench', prompt: String(ms) }));
      const { agents: started } = await client.call('run_agents', { groupId, agents });
      return started.map(({ agentId }) => agentId);
    },
    async wait(agentIds) {
      for (;;) {
        const answer = await client.call('wait_agent', { agentIds });
        if (!answer.timedOut) return answer.completed;
      }
    },
  };
}
