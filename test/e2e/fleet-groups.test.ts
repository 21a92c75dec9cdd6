import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../setup/until.ts';
import { ended, furnish, group, printed, start, status, steps } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { type World, inOneWorld } from './world.ts';

const refused = async (world: World, tool: string, input: object) => {
  const { isError, value, raw } = await world.call(tool, input);
  expect(isError).toBe(true);
  expect(raw['structuredContent']).toBeUndefined();
  expect(value).toMatchObject({ error: true, code: expect.any(String), message: expect.any(String) });
  return value['code'] as string;
};

const stages = (...list: readonly (readonly string[])[]) =>
  list.map((prompts) => ({ tasks: prompts.map((prompt) => ({ role: 'scripted', prompt })) }));

inOneWorld('http', 'postgres', (test) => {
  test.beforeEach(({ world }) => furnish(world));

  story(test, 'refusals and ends', (clause) => {
    clause(requires('fleet.group-errors'), async ({ world }) => {
      const groupId = await group(world);
      const agents = [{ role: 'scripted', prompt: steps() }];
      const stage = [{ tasks: agents }];
      for (const [tool, input, code] of [
        ['run_agents', { groupId, agents: [] }, 'EMPTY_AGENTS'],
        ['run_sequential', { groupId, stages: [] }, 'EMPTY_STAGES'],
        ['run_sequential', { groupId, stages: [...stage, { tasks: [] }] }, 'EMPTY_STAGE_TASKS'],
        ['run_agents', { groupId: 'grp-1-0000', agents }, 'GROUP_NOT_FOUND'],
        ['run_sequential', { groupId: 'grp-1-0000', stages: stage }, 'GROUP_NOT_FOUND'],
        ['delete_group', { groupId: 'grp-1-0000' }, 'GROUP_NOT_FOUND'],
        ['run_agents', { groupId, agents: [{ role: 'nobody', prompt: 'x' }] }, 'ROLE_NOT_FOUND'],
        ['run_sequential', { groupId, stages: [{ tasks: [{ role: 'nobody', prompt: 'x' }] }] }, 'ROLE_NOT_FOUND'],
        ['run_agents', { groupId, agents: [{ ...agents[0], workingDirectory: 'nowhere' }] }, 'AGENTS_START_FAILED'],
        [
          'run_sequential',
          { groupId, stages: [{ tasks: [{ ...agents[0], workingDirectory: 'nowhere' }] }] },
          'SEQUENTIAL_START_FAILED',
        ],
        ['get_agent_status', { agentId: 'scripted-1-0000' }, 'AGENT_NOT_FOUND'],
        ['get_agent_log', { agentId: 'scripted-1-0000' }, 'AGENT_NOT_FOUND'],
        ['report_result', { agentId: 'scripted-1-0000', status: 'success', summary: 's' }, 'AGENT_NOT_FOUND'],
        ['report_result', { status: 'success', summary: 's' }, 'VALIDATION_ERROR'],
        ['run_agents', { groupId, agents: [{ role: 'scripted' }] }, 'VALIDATION_ERROR'],
      ] as const)
        expect([tool, await refused(world, tool, input)]).toEqual([tool, code]);
      const { value } = await world.call('delete_group', { groupId: 'grp-1-0000' });
      expect(value['message']).toBe('There is no group "grp-1-0000"');
      expect(value['details'].next_step).toContain('create_group');
    });

    clause(requires('fleet.mode'), async ({ world }) => {
      const agents = [{ role: 'scripted', prompt: steps() }];
      const open = await group(world);
      await world.call('run_agents', { groupId: open, agents });
      expect(await refused(world, 'run_sequential', { groupId: open, stages: [{ tasks: agents }] })).toBe(
        'MODE_MISMATCH',
      );
      const sequential = await group(world, 'sequential');
      expect(await refused(world, 'run_agents', { groupId: sequential, agents })).toBe('MODE_MISMATCH');
    });

    clause(requires('fleet.delete_group'), async ({ world }) => {
      const groupId = await group(world);
      const { value } = await world.call('run_sequential', {
        groupId,
        stages: stages([steps({ sleep: 60_000 })], [steps()]),
      });
      expect(await refused(world, 'delete_group', { groupId })).toBe('GROUP_HAS_RUNNING_AGENTS');
      const ids = value['agents'].map((one: { agentId: string }) => one.agentId);
      await world.call('cancel_agents', { agentIds: ids });
      await ended(world, ids);
      expect((await world.call('delete_group', { groupId })).value).toEqual({ deleted: true, groupId });
      expect(await refused(world, 'run_sequential', { groupId, stages: stages([steps()]) })).toBe('GROUP_NOT_ACTIVE');
      expect((await status(world, ids[0]))['status']).toBe('cancelled');
    });

    clause(requires('fleet.sequential.stop'), async ({ world }) => {
      const groupId = await group(world);
      const { value } = await world.call('run_sequential', {
        groupId,
        stages: stages([steps({ exit: 1 })], [steps({ print: 'never' })], [steps()]),
      });
      const done = await ended(
        world,
        value['agents'].map((one: { agentId: string }) => one.agentId),
      );
      expect(done.map((one) => one['status'])).toEqual(['failed', 'cancelled', 'cancelled']);
      expect(done[1]).toMatchObject({ startedAt: null, result: { status: 'cancelled' } });
    });
  });

  test(requires('fleet.report.running'), async ({ world }) => {
    const [id = ''] = await start(world, 'scripted', steps({ print: 'up' }, { until: 'go' }, { print: 'last words' }));
    await printed(world, id);
    const report = { status: 'success', summary: 'all good', editedFiles: ['a.ts'], createdFiles: ['b.ts'] };
    expect((await world.call('report_result', { agentId: id, ...report })).value).toEqual({
      registered: true,
      agentId: id,
    });
    const during = await status(world, id);
    expect(during).toMatchObject({ status: 'running', result: { ...report, source: 'report' } });
    world.write('go', '');
    const [after] = await ended(world, [id]);
    expect(after).toMatchObject({
      status: 'resultReported',
      result: { ...report, errorMessage: null, source: 'report' },
    });
  });

  story(test, 'lists, logs and plans', (clause) => {
    clause(requires('fleet.list_agents'), async ({ world }) => {
      const groupId = await group(world);
      const agents = [1, 2, 3].map(() => ({ role: 'scripted', prompt: steps() }));
      const { value } = await world.call('run_agents', { groupId, agents });
      const ids = value['agents'].map((one: { agentId: string }) => one.agentId);
      await ended(world, ids);
      const first = (await world.call('list_agents', { groupId, limit: 2 })).value;
      expect(first).toMatchObject({ total: 3, profiles: [] });
      const second = (await world.call('list_agents', { groupId, limit: 2, cursor: first['nextCursor'] })).value;
      expect(second['nextCursor']).toBeUndefined();
      expect([...first['agents'], ...second['agents']].map((one) => one.agentId).toSorted()).toEqual(ids.toSorted());
      expect((await world.call('list_agents', { groupId, status: 'completed' })).value['total']).toBe(3);
      expect((await world.call('list_agents', { groupId, status: 'running' })).value['total']).toBe(0);
      expect((await world.call('list_agents', { groupId, status: 'all' })).value['total']).toBe(3);
    });

    clause(requires('fleet.log'), async ({ world }) => {
      const lines = Array.from({ length: 25 }, (_, index) => ({ print: `line ${index}` }));
      const [id = ''] = await start(world, 'scripted', steps(...lines, { error: 'on stderr' }, { print: 'tail' }));
      await ended(world, [id]);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { value } = await world.call('get_agent_log', { agentId: id, limit: 10, ...(cursor && { cursor }) });
        seen.push(...(value['lines'] as string[]));
        cursor = value['nextCursor'] as string | undefined;
      } while (cursor !== undefined);
      expect(seen.filter((one) => one.startsWith('line'))).toEqual(lines.map((one) => one.print));
      expect(seen).toContain('on stderr');
      expect(seen).toHaveLength(27);
    });

    clause('an agent works where it is told to', async ({ world }) => {
      world.write('sub/place/x.txt', 'x');
      const groupId = await group(world);
      const { value } = await world.call('run_agents', {
        groupId,
        agents: [{ role: 'scripted', prompt: steps({ write: ['made.txt', 'made'] }), workingDirectory: 'sub/place' }],
      });
      const [agent] = await ended(world, [value['agents'][0].agentId]);
      expect(agent).toMatchObject({ status: 'completed', workingDirectory: join(world.project, 'sub/place') });
    });

    clause(requires('fleet.sequential.continue'), async ({ world }) => {
      const groupId = await group(world);
      const { value } = await world.call('run_sequential', {
        groupId,
        stages: stages([steps({ error: 'no luck' }, { exit: 1 })], [steps({ echo: true })]),
        on_failure: 'continue',
      });
      const done = await ended(
        world,
        value['agents'].map((one: { agentId: string }) => one.agentId),
      );
      expect(done.map((one) => one['status'])).toEqual(['failed', 'completed']);
      expect(done[1]?.['result'].summary).toContain('no luck');
    });

    clause(requires('fleet.sequential.report'), async ({ world }) => {
      const groupId = await group(world);
      const failure = { status: 'failure', summary: 'it cannot be done', errorMessage: 'no parts' };
      const { value } = await world.call('run_sequential', {
        groupId,
        stages: stages([steps({ call: ['report_result', failure] })], [steps()]),
      });
      const done = await ended(
        world,
        value['agents'].map((one: { agentId: string }) => one.agentId),
      );
      expect(done.map((one) => one['status'])).toEqual(['resultReported', 'cancelled']);
      expect(done[0]?.['result']).toMatchObject({ ...failure, source: 'report' });
    });

    clause(requires('fleet.sequential.one-plan'), async ({ world }) => {
      const groupId = await group(world);
      const { value } = await world.call('run_sequential', { groupId, stages: stages([steps({ sleep: 60_000 })]) });
      const second = { groupId, stages: stages([steps({ print: 'second' })]) };
      expect(await refused(world, 'run_sequential', second)).toBe('SEQUENTIAL_START_FAILED');
      const ids = value['agents'].map((one: { agentId: string }) => one.agentId);
      await world.call('cancel_agents', { agentIds: ids });
      await ended(world, ids);
      const again = await until(
        'the plan is over',
        () => world.call('run_sequential', second),
        (one) => !one.isError,
      );
      await ended(world, [again.value['agents'][0].agentId]);
    });
  });

  test(requires('fleet.capacity.plan'), async ({ world }) => {
    const groupId = await group(world);
    const wide = Array.from({ length: 7 }, () => steps());
    expect(await refused(world, 'run_sequential', { groupId, stages: stages([steps()], wide) })).toBe(
      'MAX_CONCURRENT_REACHED',
    );
    // Nine agents, but never more than five at once.
    const narrow = stages(
      [steps({ sleep: 60_000 })],
      [steps(), steps(), steps(), steps(), steps()],
      [steps(), steps(), steps()],
    );
    const { value } = await world.call('run_sequential', { groupId, stages: narrow });
    const ids = value['agents'].map((one: { agentId: string }) => one.agentId);
    expect(ids).toHaveLength(9);
    const others = await start(world, 'scripted', steps(), steps(), steps(), steps(), steps());
    await ended(world, others);
    await world.call('cancel_agents', { agentIds: ids });
    await ended(world, ids);
  });

  test(requires('fleet.sequential.room'), async ({ world }) => {
    const groupId = await group(world);
    const { value } = await world.call('run_sequential', {
      groupId,
      stages: stages([steps({ until: 'go' })], [steps(), steps(), steps()]),
    });
    const plan = value['agents'].map((one: { agentId: string }) => one.agentId);
    const blockers = await start(world, 'forever', '', '', '', '', '');
    world.write('go', '');
    await ended(world, plan.slice(0, 1));
    expect((await status(world, plan[1]))['status']).toBe('queued');
    await world.call('cancel_agents', { agentIds: blockers });
    const done = await ended(world, plan);
    expect(done.map((one) => one['status'])).toEqual(['completed', 'completed', 'completed', 'completed']);
    await ended(world, blockers);
  });

  story(test, 'reports', (clause) => {
    clause(requires('fleet.report.queued'), async ({ world }) => {
      const groupId = await group(world);
      const { value } = await world.call('run_sequential', {
        groupId,
        stages: stages([steps({ sleep: 60_000 })], [steps()]),
      });
      const ids = value['agents'].map((one: { agentId: string }) => one.agentId);
      const report = { agentId: ids[1], status: 'success', summary: 'already?' };
      expect(await refused(world, 'report_result', report)).toBe('AGENT_NOT_STARTED');
      await world.call('cancel_agents', { agentIds: ids });
      await ended(world, ids);
    });

    clause(requires('fleet.report.later'), async ({ world }) => {
      const result = {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] },
        tool_use_result: { type: 'create', filePath: 'from-stream.txt' },
      };
      const call = {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: 't1', name: 'Write', input: { file_path: 'from-stream.txt' } }] },
      };
      const [id = ''] = await start(world, 'scripted', steps({ stream: call }, { stream: result }));
      const [before] = await ended(world, [id]);
      expect(before).toMatchObject({
        status: 'completed',
        toolCallCount: 1,
        result: { createdFiles: ['from-stream.txt'], source: 'auto' },
      });
      const files = { createdFiles: ['from-stream.txt', 'more.txt'], editedFiles: ['e.txt', 'e.txt'] };
      await world.call('report_result', { agentId: id, status: 'success', summary: 'late', ...files });
      expect(await status(world, id)).toMatchObject({
        status: 'resultReported',
        result: {
          summary: 'late',
          source: 'report',
          createdFiles: ['from-stream.txt', 'more.txt'],
          editedFiles: ['e.txt'],
        },
      });
    });
  });

  story(test, 'waiting', (clause) => {
    clause(requires('fleet.wait.all'), async ({ world }) => {
      const ids = await start(world, 'scripted', steps(), steps({ exit: 2 }), steps({ print: 'third' }));
      const { value } = await world.call('wait_agent', { agentIds: ids });
      expect(value).toMatchObject({ pending: [], timedOut: false });
      expect(value['completed'].map((one: { status: string }) => one.status)).toEqual([
        'completed',
        'failed',
        'completed',
      ]);
    });

    clause(requires('fleet.wait.any'), async ({ world }) => {
      const ids = await start(world, 'scripted', steps({ sleep: 60_000 }), steps({ print: 'quick' }));
      const { value } = await world.call('wait_agent', { agentIds: ids, mode: 'any' });
      expect(value['timedOut']).toBe(false);
      expect(value['completed'].map((one: { agentId: string }) => one.agentId)).toEqual([ids[1]]);
      expect(value['pending'].map((one: { agentId: string }) => one.agentId)).toEqual([ids[0]]);
      await world.call('cancel_agents', { agentIds: ids });
      await ended(world, ids);
    });

    clause(requires('fleet.wait.timeout'), async ({ world }) => {
      const ids = await start(world, 'forever', '');
      const { value } = await world.call('wait_agent', { agentIds: ids, timeout_ms: 300 });
      expect(value).toMatchObject({ completed: [], timedOut: true, pending: [{ agentId: ids[0] }] });
      await world.call('cancel_agents', { agentIds: ids });
      await ended(world, ids);
    });

    clause(requires('fleet.wait.progress'), async ({ world }) => {
      const ids = await start(world, 'forever', '');
      const client = await world.client();
      const messages: string[] = [];
      const stop = new AbortController();
      const call = client.callTool(
        { name: 'wait_agent', arguments: { agentIds: ids } },
        {
          signal: stop.signal,
          onprogress: ({ message, progress }) => {
            messages.push(String(message));
            expect(Number.isInteger(progress)).toBe(true);
            stop.abort();
          },
        },
      );
      await expect(call).rejects.toThrow();
      expect(messages[0]).toContain(ids[0]);
      await client.close();
      await world.call('cancel_agents', { agentIds: ids });
      await ended(world, ids);
    });

    clause(requires('fleet.wait.empty'), async ({ world }) => {
      expect(await refused(world, 'wait_agent', { agentIds: [] })).toBe('EMPTY_AGENT_IDS');
      expect(await refused(world, 'cancel_agents', { agentIds: [] })).toBe('EMPTY_AGENT_IDS');
      expect(await refused(world, 'wait_agent', { agentIds: ['scripted-1-0000'] })).toBe('AGENT_NOT_FOUND');
      expect(await refused(world, 'cancel_agents', { agentIds: ['scripted-1-0000'] })).toBe('AGENT_NOT_FOUND');
    });
  });
});
