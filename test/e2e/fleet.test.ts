import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ended, furnish, group, printed, running, start, status, steps, until } from './fleet-world.ts';
import { requires } from './requirements.ts';
import type { World } from './world.ts';
import { inEveryWorld } from './world.ts';

const refused = async (world: World, tool: string, input: object) => {
  const { isError, value, raw } = await world.call(tool, input);
  expect(isError).toBe(true);
  expect(raw['structuredContent']).toBeUndefined();
  expect(value).toMatchObject({ error: true, code: expect.any(String), message: expect.any(String) });
  return value['code'] as string;
};

const stages = (...list: readonly (readonly string[])[]) =>
  list.map((prompts) => ({ tasks: prompts.map((prompt) => ({ role: 'scripted', prompt })) }));

inEveryWorld('the fleet', (get) => {
  beforeAll(() => furnish(get()));

  test(requires('fleet.create_group'), async () => {
    const { value } = await get().call('create_group', { description: 'review', mode: 'concurrent' });
    expect(value).toMatchObject({ description: 'review', mode: 'concurrent', status: 'active' });
    expect(value['groupId']).toMatch(/^grp-\d{10}-[0-9a-f]{4}$/);
    expect(Date.parse(value['createdAt'])).not.toBeNaN();
  });

  test(requires('fleet.run_agents'), async () => {
    const world = get();
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

  test(requires('fleet.group-errors'), async () => {
    const world = get();
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
  });

  test(requires('fleet.mode'), async () => {
    const world = get();
    const agents = [{ role: 'scripted', prompt: steps() }];
    const open = await group(world);
    await world.call('run_agents', { groupId: open, agents });
    expect(await refused(world, 'run_sequential', { groupId: open, stages: [{ tasks: agents }] })).toBe(
      'MODE_MISMATCH',
    );
    const sequential = await group(world, 'sequential');
    expect(await refused(world, 'run_agents', { groupId: sequential, agents })).toBe('MODE_MISMATCH');
  });

  test(requires('fleet.delete_group'), async () => {
    const world = get();
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

  test(requires('fleet.run_sequential'), async () => {
    const world = get();
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

  test(requires('fleet.sequential.stop'), async () => {
    const world = get();
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

  test(requires('fleet.capacity'), async () => {
    const world = get();
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
    await Promise.all(clients.map((one) => one.close()));
  });

  test(requires('fleet.report.running'), async () => {
    const world = get();
    const [id = ''] = await start(world, 'scripted', steps({ print: 'up' }, { sleep: 700 }, { print: 'last words' }));
    await printed(world, id);
    const report = { status: 'success', summary: 'all good', editedFiles: ['a.ts'], createdFiles: ['b.ts'] };
    expect((await world.call('report_result', { agentId: id, ...report })).value).toEqual({
      registered: true,
      agentId: id,
    });
    const during = await status(world, id);
    expect(during).toMatchObject({ status: 'running', result: { ...report, source: 'report' } });
    const [after] = await ended(world, [id]);
    expect(after).toMatchObject({
      status: 'resultReported',
      result: { ...report, errorMessage: null, source: 'report' },
    });
  });

  test(requires('fleet.report.identity'), async () => {
    const world = get();
    const [other = ''] = await start(world, 'forever', '');
    const report = { status: 'success', summary: 'done by myself' };
    const [id = ''] = await start(
      world,
      'scripted',
      steps({ call: ['report_result', { ...report, agentId: other }] }, { call: ['report_result', report] }),
    );
    const [agent] = await ended(world, [id]);
    expect(agent).toMatchObject({ status: 'resultReported', result: { summary: 'done by myself', source: 'report' } });
    const { lines } = (await world.call('get_agent_log', { agentId: id })).value as { lines: string[] };
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: true, code: 'FORBIDDEN' });
    expect(JSON.parse(lines[1] ?? '')).toEqual({ registered: true, agentId: id });
    expect((await status(world, other))['result']).toBeNull();
    await world.call('cancel_agents', { agentIds: [other] });
    await ended(world, [other]);
  });

  test(requires('fleet.states'), async () => {
    const world = get();
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

  test(requires('fleet.wait.wakes'), async () => {
    const world = get();
    const [id = ''] = await start(world, 'scripted', steps({ sleep: 300 }));
    const other = await world.client();
    const answers = await Promise.all([ended(world, [id]), ended(world, [id], other)]);
    for (const [one] of answers) expect(one).toMatchObject({ agentId: id, status: 'completed' });
    // The waiter learns it with the journal, not from a poll: it is back before the next look would have been.
    const { value } = await world.call('get_agent_status', { agentId: id });
    expect(value['elapsed_ms']).toBeGreaterThan(250);
    await other.close();
  });

  test(requires('fleet.list_agents'), async () => {
    const world = get();
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

  test(requires('fleet.journal'), async () => {
    const world = get();
    const [id = ''] = await start(
      world,
      'scripted',
      steps({ call: ['report_result', { status: 'success', summary: 's' }] }),
    );
    await ended(world, [id]);
    const { json } = await world.cli(['journal', 'list', '--subject', id, '--json']);
    const rows = (json['entries'] as { kind: string; actor: string }[]).filter((one) => one.kind !== 'agent.progress');
    expect(rows.map((one) => one.kind)).toEqual([
      'agent.created',
      'agent.started',
      'agent.reported',
      'agent.ended',
      'agent.result_reported',
    ]);
    expect(rows[2]?.actor).toBe(`agent:${id}`);
  });

  test(requires('fleet.log'), async () => {
    const world = get();
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
});

describe('where a working directory is', () => {
  inEveryWorld('it is relative to the project', (get) => {
    test('an agent works where it is told to', async () => {
      const world = get();
      furnish(world);
      world.write('sub/place/x.txt', 'x');
      const groupId = await group(world);
      const { value } = await world.call('run_agents', {
        groupId,
        agents: [{ role: 'scripted', prompt: steps({ write: ['made.txt', 'made'] }), workingDirectory: 'sub/place' }],
      });
      const [agent] = await ended(world, [value['agents'][0].agentId]);
      expect(agent).toMatchObject({ status: 'completed', workingDirectory: join(world.project, 'sub/place') });
      await until(
        () => status(world, value['agents'][0].agentId),
        (one) => one['status'] === 'completed',
      );
    });
  });
});
