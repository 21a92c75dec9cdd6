import { expect } from 'vitest';
import { ended, furnish, group, running, start, status, steps } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { inTwoWorlds } from './world.ts';

const stages = (...list: readonly (readonly string[])[]) =>
  list.map((prompts) => ({ tasks: prompts.map((prompt) => ({ role: 'scripted', prompt })) }));

inTwoWorlds('the fleet', (test) => {
  test.beforeEach(({ world }) => furnish(world));

  story(test, 'groups and runs', (clause) => {
    clause(requires('fleet.create_group'), async ({ world }) => {
      const { value } = await world.call('create_group', { description: 'review', mode: 'concurrent' });
      expect(value).toMatchObject({ description: 'review', mode: 'concurrent', status: 'active' });
      expect(value['groupId']).toMatch(/^grp-\d{10}-[0-9a-f]{4}$/);
      expect(Date.parse(value['createdAt'])).not.toBeNaN();
    });

    clause(requires('fleet.run_agents'), async ({ world }) => {
      const groupId = await group(world);
      const { value } = await world.call('run_agents', {
        groupId,
        agents: [
          { role: 'scripted', prompt: steps({ print: 'hello' }) },
          { role: 'scripted', prompt: steps({ print: 'world' }, { exit: 3 }) },
        ],
      });
      expect(value).toMatchObject({ total: 2 });
      for (const one of value['agents']) {
        expect(one).toEqual({ agentId: one.agentId, groupId, role: 'scripted', model: 'default', status: 'queued' });
        expect(one.agentId).toMatch(/^scripted-\d{10}-[0-9a-f]{4}$/);
      }
      const done = await ended(
        world,
        value['agents'].map((one: { agentId: string }) => one.agentId),
      );
      expect(done.map((one) => [one['status'], one['exitCode'], one['result'].summary])).toEqual([
        ['completed', 0, 'hello'],
        ['failed', 3, 'world'],
      ]);
    });

    clause(requires('fleet.run_sequential'), async ({ world }) => {
      const groupId = await group(world);
      const { value } = await world.call('run_sequential', {
        groupId,
        stages: stages(
          [steps({ print: 'the plan is ready' }), steps({ print: 'so is the other' })],
          [steps({ echo: true })],
        ),
      });
      expect(value).toMatchObject({ groupId, totalStages: 2, currentStageIndex: 0, total: 3 });
      expect(value['stages'].map((one: { agentIds: string[] }) => one.agentIds.length)).toEqual([2, 1]);
      const [first, second, last] = value['agents'].map((one: { agentId: string }) => one.agentId);
      const done = await ended(world, [first, second, last]);
      expect(done[2]).toMatchObject({ status: 'completed', stageIndex: 1 });
      expect(done[2]?.['result'].summary).toContain('the plan is ready');
      expect(done[2]?.['result'].summary).toContain('so is the other');
      expect(Date.parse(done[2]?.['startedAt'])).toBeGreaterThanOrEqual(Date.parse(done[1]?.['endedAt']));
    });
  });

  story(test, 'reports and states', (clause) => {
    clause(requires('fleet.report.identity'), async ({ world }) => {
      const [other = ''] = await start(world, 'forever', '');
      const report = { status: 'success', summary: 'done by myself' };
      const [id = ''] = await start(
        world,
        'scripted',
        steps({ call: ['report_result', { ...report, agentId: other }] }, { call: ['report_result', report] }),
      );
      const [agent] = await ended(world, [id]);
      expect(agent).toMatchObject({
        status: 'resultReported',
        result: { summary: 'done by myself', source: 'report' },
      });
      const { lines } = (await world.call('get_agent_log', { agentId: id })).value as { lines: string[] };
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: true, code: 'FORBIDDEN' });
      expect(JSON.parse(lines[1] ?? '')).toEqual({ registered: true, agentId: id });
      expect((await status(world, other))['result']).toBeNull();
      await world.call('cancel_agents', { agentIds: [other] });
      await ended(world, [other]);
    });

    clause(requires('fleet.states'), async ({ world }) => {
      const groupId = await group(world);
      const { value } = await world.call('run_agents', {
        groupId,
        agents: [
          { role: 'forever', prompt: '', timeout_ms: 400 },
          { role: 'forever', prompt: '' },
        ],
      });
      const [late, cancelled] = value['agents'].map((one: { agentId: string }) => one.agentId);
      await running(world, cancelled);
      expect((await world.call('cancel_agents', { agentIds: [cancelled] })).value).toEqual({
        cancelled: [cancelled],
        ended: [],
      });
      const done = await ended(world, [late, cancelled]);
      expect(done.map((one) => [one['status'], one['result'].status])).toEqual([
        ['timedOut', 'timeout'],
        ['cancelled', 'cancelled'],
      ]);
      expect(done[0]?.['result'].errorMessage).toContain('400');
      expect((await world.call('cancel_agents', { agentIds: [late, cancelled] })).value).toEqual({
        cancelled: [],
        ended: [late, cancelled],
      });
      expect((await status(world, late))['status']).toBe('timedOut');
    });
  });

  story(test, 'waiting and the journal', (clause) => {
    clause(requires('fleet.wait.wakes'), async ({ world }) => {
      const [id = ''] = await start(world, 'scripted', steps({ until: 'go' }));
      const other = await world.client();
      const waiting = Promise.all([ended(world, [id]), ended(world, [id], other)]);
      await running(world, id);
      world.write('go', '');
      for (const [one] of await waiting) expect(one).toMatchObject({ agentId: id, status: 'completed' });
    });

    clause(requires('fleet.journal'), async ({ world }) => {
      const [id = ''] = await start(
        world,
        'scripted',
        steps({ call: ['report_result', { status: 'success', summary: 's' }] }),
      );
      await ended(world, [id]);
      const { json } = await world.cli(['journal', 'list', '--subject', id, '--json']);
      const rows = (json['entries'] as { kind: string; actor: string }[]).filter(
        (one) => one.kind !== 'agent.progress',
      );
      expect(rows.map((one) => one.kind)).toEqual([
        'agent.created',
        'agent.started',
        'agent.reported',
        'agent.ended',
        'agent.result_reported',
      ]);
      expect(rows[2]?.actor).toBe(`agent:${id}`);
    });
  });
});

inTwoWorlds('the fleet', (test) => {
  test.beforeEach(({ world }) => furnish(world));

  test(requires('fleet.capacity'), async ({ world }) => {
    const forever = { role: 'forever', prompt: '' };
    const groups = await Promise.all(Array.from({ length: 4 }, () => group(world)));
    // Four callers want two each at the same moment, and six may be: three win, whoever they are.
    const clients = await Promise.all(groups.map(() => world.client()));
    const answers = await Promise.all(
      groups.map((groupId, index) => world.call('run_agents', { groupId, agents: [forever, forever] }, clients[index])),
    );
    const lost = answers.filter((one) => one.isError);
    expect(lost.map((one) => one.value['code'])).toEqual(['MAX_CONCURRENT_REACHED']);
    const ids = answers.flatMap((one) =>
      (one.value['agents'] ?? []).map((agent: { agentId: string }) => agent.agentId),
    );
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    expect((await world.call('cancel_agents', { agentIds: ids })).value['cancelled']).toHaveLength(6);
    await ended(world, ids);
  });
});
