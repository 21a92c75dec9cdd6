import { expect } from 'vitest';
import { type AgentState, ended, furnish, group, start, status, steps } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { inTwoWorlds, inOneWorld } from './world.ts';

const MiB = 1024 * 1024;

inTwoWorlds('what agents report', (test) => {
  test.beforeEach(({ world }) => furnish(world));

  story(test, 'reports', (clause) => {
    clause(requires('fleet.short'), async ({ world }) => {
      const long = '関'.repeat(3000);
      const files = Array.from({ length: 300 }, (_, index) => `file-${index}.txt`);
      const report = { status: 'success', summary: long, response: long, editedFiles: files, errorMessage: 'short' };
      const [id = ''] = await start(world, 'scripted', steps({ call: ['report_result', report] }));
      const [waited = {}] = await ended(world, [id]);
      const { agents } = (await world.call('list_agents')).value as { agents: AgentState[] };
      for (const one of [waited, agents.find(({ agentId }) => agentId === id) ?? {}]) {
        expect(one['result']).toMatchObject({ truncated: true, errorMessage: 'short' });
        for (const text of [one['result'].summary, one['result'].response] as string[]) {
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
          expect(text).toMatch(/^関{600,}…$/);
        }
        expect(one['result'].editedFiles).toEqual(files.slice(0, 100));
      }
      const { result } = await status(world, id);
      expect(result).toMatchObject({ summary: long, response: long, editedFiles: files });
      expect(result).not.toHaveProperty('truncated');
    });

    clause(requires('fleet.report.response'), async ({ world }) => {
      const report = { status: 'success', summary: 'Short.', response: '# The whole\n\nWith every detail.' };
      const groupId = await group(world);
      const { value } = await world.call('run_sequential', {
        groupId,
        stages: [
          { tasks: [{ role: 'scripted', prompt: steps({ call: ['report_result', report] }) }] },
          { tasks: [{ role: 'scripted', prompt: steps({ echo: true }) }] },
        ],
      });
      const [first = '', second = ''] = value['agents'].map((one: AgentState) => one['agentId'] as string);
      await ended(world, [first, second]);
      expect((await status(world, first))['result']).toMatchObject(report);
      expect((await status(world, second))['result'].summary).toContain('With every detail.');
    });

    clause(requires('fleet.report.instruction'), async ({ world }) => {
      const [id = ''] = await start(world, 'scripted', steps({ echo: true }));
      const [agent = {}] = await ended(world, [id]);
      expect(agent['result'].summary).toContain(`You are the agent ${id}.`);
      expect(agent['result'].summary).toContain('report_result');
    });
  });
});

inOneWorld('http', 'sqlite', (test) => {
  test(requires('fleet.log.long'), async ({ world }) => {
    furnish(world);
    const use = { type: 'assistant', message: { content: [{ type: 'text', text: 'y'.repeat(5 * MiB) }] } };
    const [id = ''] = await start(
      world,
      'scripted',
      steps({ print: 'before' }, { long: 9 * MiB }, { print: 'after' }, { stream: use }),
    );
    const [agent] = await ended(world, [id]);
    expect(agent).toMatchObject({ status: 'completed', result: { truncated: true } });
    // A line of the stream is read whole too.
    expect((await status(world, id))['result'].summary).toHaveLength(5 * MiB);
    const lines: string[] = [];
    let cursor: string | undefined;
    do {
      const { value } = await world.call('get_agent_log', { agentId: id, ...(cursor !== undefined && { cursor }) });
      lines.push(...(value['lines'] as string[]));
      cursor = value['nextCursor'] as string | undefined;
    } while (cursor !== undefined);
    expect(lines.map((one) => one.length)).toEqual([6, 9 * MiB, 5, JSON.stringify(use).length]);
    expect([lines[0], lines[2]]).toEqual(['before', 'after']);
    const { WebSocket } = await import('ws');
    const { url, token } = await world.daemon();
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${token('agent')}`);
    const tailed: string[] = [];
    await new Promise<void>((resolve, reject) => {
      socket.on('message', (data: Buffer) => {
        const { type, data: told } = JSON.parse(data.toString('utf8')) as Record<string, any>;
        if (type !== 'agent:log') return;
        tailed.push(...(told.lines as string[]));
        if (told.ended === true) resolve();
      });
      socket.on('open', () => socket.send(JSON.stringify({ type: 'tail', agentId: id })));
      socket.on('close', () => reject(new Error('it was closed')));
      socket.on('error', reject);
    });
    expect(tailed).toEqual(lines);
    socket.close();
  });
});
