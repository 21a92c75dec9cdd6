import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { runnerPlace, startRunner, stopRunner } from './runner-world.ts';
import { type Agent, openOffice } from './work-world.ts';
import { inOneWorld } from './world.ts';

const full = process.env['SEKISHO_TEST_SOAK'] === 'full';

describe('many agents, many projects', () => {
  inOneWorld('stdio', 'postgres', (test) => {
    const [agentCount, projectCount, kills] = full ? [20, 5, 40] : [4, 3, 3];

    test(
      requires('work.runner.soak'),
      async ({ world }) => {
        const office = await openOffice(world);
        const projects = await Promise.all(
          Array.from({ length: projectCount }, (_, index) => office.project(`p${index}`)),
        );
        const agents: Agent[] = [];
        for (let index = 0; index < agentCount; index++) agents.push(await office.agent(`a${index}`, ...projects));
        const tasks: string[] = [];
        for (const [index, agent] of agents.entries())
          for (const [turn, project] of projects.entries()) {
            const result = (index + turn) % 4 === 0 ? 'blocked' : 'success';
            const description = JSON.stringify({ sleep: 30, result });
            tasks.push(
              await office.task(project, `${index}/${turn}`, 'in_progress', { assignee_id: agent.id, description }),
            );
          }
        const folders = await Promise.all(
          ['left', 'right'].map((name) => runnerPlace(world, name, agents, { cooldownMs: 50 })),
        );
        const runners = folders.map((folder) => startRunner(world, folder, '--leave'));
        const open = async () => {
          const found = await Promise.all(
            projects.map((project_id) => world.call('list_tasks', { project_id, status: 'in_progress', limit: 500 })),
          );
          return found.reduce((sum, one) => sum + Number(one.value['tasks'].length), 0);
        };
        for (let kill = 0; kill < kills && (await open()) > 0; kill++) {
          await pause(300 + Math.random() * 1500);
          const which = Math.floor(Math.random() * runners.length);
          await stopRunner(runners[which]!, 'SIGKILL');
          runners[which] = startRunner(world, folders[which]!, '--leave');
        }
        await until('every task has ended', open, (left) => left === 0, full ? 900_000 : 280_000);
        for (const [index, task] of tasks.entries()) {
          const { value } = await world.call('get_task_history', { task_id: task, limit: 500 });
          const ends = value['history'].filter((one: any) => ['done', 'blocked'].includes(one.changes.status?.to));
          expect(ends).toHaveLength(1);
          const [agent, turn] = [Math.floor(index / projectCount), index % projectCount];
          expect(ends[0].changes.status.to).toBe((agent + turn) % 4 === 0 ? 'blocked' : 'done');
        }
        await Promise.all(runners.map((child) => stopRunner(child)));
      },
      full ? 1_200_000 : 400_000,
    );
  });
});
