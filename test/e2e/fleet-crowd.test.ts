import { expect } from 'vitest';
import { until } from '../setup/until.ts';
import { type AgentState, furnish, group } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { inOneWorld } from './world.ts';

const crowd = 100;

// On SQLite writers wait for each other anyway.
inOneWorld('http', 'postgres', (test) => {
  test(`${requires('fleet.crowd')} ${requires('phase.publish.crowd')}`, async ({ world }) => {
    furnish(world, '  - { id: nothing, cli: command, command: ["true"] }\n', `maxConcurrent: ${crowd}`);
    const person = await world.client({ role: 'human' });
    const published = await Promise.all(
      Array.from({ length: crowd }, (_, index) =>
        world.call('publish_prompt', { prompt: 'phase0', content: `Text ${index}` }, person),
      ),
    );
    expect(published.filter((one) => one.isError).map((one) => one.text)).toEqual([]);
    const versions = published.map((one) => one.value['version'] as number);
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: crowd }, (_, index) => index + 1));
    const groupId = await group(world);
    const started = await Promise.all(
      Array.from({ length: crowd }, () =>
        world.call('run_agents', { groupId, agents: [{ role: 'nothing', prompt: '' }] }),
      ),
    );
    expect(started.filter((one) => one.isError).map((one) => one.text)).toEqual([]);
    // Each was started once, and each runs to its end, however long a hundred hosts take to start.
    const agents = await until(
      'all have ended',
      async () => (await world.call('list_agents', { groupId, limit: 500 })).value['agents'] as AgentState[],
      (all) => all.every((one) => one['status'] !== 'queued' && one['status'] !== 'running'),
      400_000,
    );
    expect(agents.map((one) => one['status'])).toEqual(Array.from({ length: crowd }, () => 'completed'));
    expect(new Set(agents.map((one) => one['agentId'])).size).toBe(crowd);
  }, 600_000);
});
