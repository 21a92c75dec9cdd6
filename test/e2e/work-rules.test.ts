import { expect } from 'vitest';
import { requires } from './requirements.ts';
import { inTwoWorlds } from './world.ts';
import { workStory } from './work-world.ts';

type Answer = Record<string, any>;

inTwoWorlds('the rules of work', (test) => {
  workStory(test, 'what tasks wait for', (clause) => {
    clause(requires('work.auto_start'), async ({ world, office }) => {
      const { project_id: project } = await office.admin('create_project', {
        name: 'chain',
        working_directory: world.project,
        auto_start: true,
      });
      const agent = await office.agent('a', project as string);
      const other = await office.project('waits for people');
      await office.admin('assign_agent', { project_id: other, agent_id: agent.id });
      const mine = { assignee_id: agent.id };
      const chain = async (project_id: string) =>
        (
          await office.admin('create_tasks', {
            project_id,
            tasks: [
              { key: 'first', title: 'first', ...mine },
              { key: 'beside', title: 'beside', ...mine },
              { key: 'last', title: 'last', ...mine, depends_on: ['first', 'beside'] },
              { key: 'nobody’s', title: 'nobody’s', depends_on: ['first'] },
              { key: 'resting', title: 'resting', ...mine, depends_on: ['first'] },
            ],
          })
        )['task_ids'] as string[];
      const statuses = (ids: readonly string[]) =>
        Promise.all(ids.map(async (id) => (await office.read(id))['status'] as string));
      const [first, beside, last, nobodys, resting] = await chain(project as string);
      await office.admin('move_tasks', { task_ids: [first, beside, last, nobodys], status: 'todo' });
      expect(await statuses([first!, last!])).toEqual(['todo', 'todo']);
      await office.move(first!, 'in_progress', 'done');
      expect(await statuses([last!, nobodys!, resting!])).toEqual(['todo', 'todo', 'backlog']);
      await office.move(beside!, 'in_progress');
      const token = await office.login(agent, project as string);
      await world.call('get_my_task', { session_token: token });
      await world.call('report_completed', { session_token: token, result: 'success' });
      expect(await statuses([beside!, last!, nobodys!, resting!])).toEqual(['done', 'in_progress', 'todo', 'backlog']);
      const { value } = await world.call('get_task_history', { task_id: last });
      expect(value['history'].at(-1)).toMatchObject({ data: { auto_start: true } });
      // Two that end at the same moment: each alone would see the other open.
      for (let turn = 0; turn < 5; turn++) {
        const [one, two, both] = await chain(project as string);
        await office.admin('move_tasks', { task_ids: [one, two, both], status: 'todo' });
        await office.admin('move_tasks', { task_ids: [one, two], status: 'in_progress' });
        const ends = [one, two].map((id) =>
          world.call('update_task_status', { task_id: id, status: 'done' }, office.person),
        );
        expect((await Promise.all(ends)).map((end) => end.isError)).toEqual([false, false]);
        expect(await statuses([both!])).toEqual(['in_progress']);
      }
      const [a, b, c] = await chain(other);
      await office.admin('move_tasks', { task_ids: [a, b, c], status: 'todo' });
      await office.admin('move_tasks', { task_ids: [a, b], status: 'in_progress' });
      await office.admin('move_tasks', { task_ids: [a, b], status: 'done' });
      expect(await statuses([c!])).toEqual(['todo']);
      const on = await office.admin('update_project', { project_id: other, auto_start: true });
      expect(on['project']).toMatchObject({ auto_start: true });
    });

    clause(requires('work.dependencies.race'), async ({ world, office }) => {
      const project = await office.project('p');
      const elsewhere = await office.project('q');
      const second = await world.client({ role: 'human' });
      for (let turn = 0; turn < 10; turn++) {
        const [a, b] = [await office.task(project, 'a'), await office.task(turn % 2 === 0 ? project : elsewhere, 'b')];
        const [c, d] = [await office.task(project, 'c'), await office.task(elsewhere, 'd')];
        // b comes after c and d after a: then a after b and c after d would close the circle.
        await office.admin('update_task', { task_id: b, depends_on: [c] });
        await office.admin('update_task', { task_id: d, depends_on: [a] });
        const edits = await Promise.all([
          world.call('update_task', { task_id: a, depends_on: [b] }, office.person),
          world.call('update_task', { task_id: c, depends_on: [d] }, second),
        ]);
        expect(edits.map((one) => one.value['code']).toSorted()).toEqual(['DEPENDENCY_CYCLE', undefined]);
      }
    });

    clause(requires('work.delete.needed'), async ({ world, office }) => {
      const project = await office.project('p');
      const first = await office.task(project, 'first');
      const then = await office.task(project, 'then', 'todo', { depends_on: [first] });
      const refused = await world.call('delete_task', { task_id: first }, office.person);
      expect(refused.value).toMatchObject({ code: 'TASK_NEEDED', details: { needed_by: [then] } });
      expect(refused.value['error']).toContain(then);
      await office.admin('delete_task', { task_id: first, force: true });
      expect((await office.read(then))['depends_on']).toEqual([]);
    });

    clause(requires('work.bulk'), async ({ world, office }) => {
      const project = await office.project('p');
      const make = (tasks: readonly object[]) =>
        world.call('create_tasks', { project_id: project, tasks }, office.person);
      const titles = async () =>
        (await world.call('list_tasks', { project_id: project, limit: 500 })).value['tasks'].map(
          (one: Answer) => one['title'],
        ) as string[];
      const many = Array.from({ length: 40 }, (_, index) => ({ title: `t${index}` }));
      const { value } = await make(many);
      expect(await titles()).toEqual(many.map((one) => one.title));
      for (const [bad, code] of [
        [[{ title: 'x' }, { title: 'y', depends_on: ['tsk_no'] }], 'TASK_NOT_FOUND'],
        [[{ title: 'x' }, { title: '' }], 'VALIDATION_ERROR'],
        [
          [
            { key: 'a', title: 'x', depends_on: ['b'] },
            { key: 'b', title: 'y', depends_on: ['a'] },
          ],
          'DEPENDENCY_CYCLE',
        ],
        [[{ key: 'a', title: 'x', parent_id: 'a' }], 'DEPENDENCY_CYCLE'],
        [
          [
            { key: 'a', title: 'x' },
            { key: 'a', title: 'y' },
          ],
          'ID_TAKEN',
        ],
      ] as const)
        expect((await make(bad)).value['code']).toBe(code);
      expect(await titles()).toHaveLength(40);
      const [one, two] = value['task_ids'] as [string, string];
      await office.move(one, 'todo');
      const half = await world.call('move_tasks', { task_ids: [two, one], status: 'todo' }, office.person);
      expect(half.value).toMatchObject({ code: 'INVALID_TRANSITION' });
      expect((await office.read(two))['status']).toBe('backlog');
      const unknown = await world.call('move_tasks', { task_ids: [two, 'tsk_no'], status: 'todo' }, office.person);
      expect(unknown.value['code']).toBe('TASK_NOT_FOUND');
      const moved = await office.admin('move_tasks', { task_ids: [one, two], status: 'cancelled', reason: 'enough' });
      expect(moved['tasks'].map((task: Answer) => task['status'])).toEqual(['cancelled', 'cancelled']);
    });

    clause(requires('work.reopen'), async ({ world, office }) => {
      const project = await office.project('p');
      for (const status of ['done', 'cancelled']) {
        const task = await office.task(project, status, status);
        const { task: reopened } = await office.admin('reopen_task', { task_id: task, reason: 'it came back' });
        expect(reopened).toMatchObject({ status: 'todo', completed_at: null });
        const { value } = await world.call('get_task_history', { task_id: task });
        expect(value['history'].at(-1)).toMatchObject({ data: { reopened: true, reason: 'it came back' } });
        const again = await world.call('reopen_task', { task_id: task }, office.person);
        expect(again.value['code']).toBe('INVALID_TRANSITION');
      }
      const { tools } = await (await world.client()).listTools();
      expect(tools.map((one) => one.name)).not.toContain('reopen_task');
    });

    clause(requires('work.list_tasks'), async ({ world, office }) => {
      const project = await office.project('p');
      const first = await office.task(project, 'Login screen', 'todo', { labels: ['ui', 'a"b'], priority: 'high' });
      const then = await office.task(project, 'Fees 100%', 'todo', {
        labels: ['ui-next'],
        depends_on: [first],
        description: 'ログイン_手数料',
      });
      const found = async (filter: object) =>
        (await world.call('list_tasks', { project_id: project, ...filter })).value['tasks'].map(
          (one: Answer) => one['task_id'],
        ) as string[];
      expect(await found({ ready: true })).toEqual([first]);
      expect(await found({ ready: false })).toEqual([then]);
      expect(await found({ label: 'ui' })).toEqual([first]);
      expect(await found({ label: 'a"b' })).toEqual([first]);
      expect(await found({ label: 'UI' })).toEqual([]);
      expect(await found({ priority: 'high' })).toEqual([first]);
      expect(await found({ text: 'login' })).toEqual([first]);
      expect(await found({ text: '100%' })).toEqual([then]);
      expect(await found({ text: 'ン_手' })).toEqual([then]);
      expect(await found({ text: '%' })).toEqual([then]);
      await office.move(first, 'in_progress', 'done');
      expect(await found({ ready: true })).toEqual([then]);
    });
  });

  workStory(test, 'who may do what', (clause) => {
    clause(requires('work.task.claim.binds'), async ({ world, office }) => {
      const project = await office.project('p');
      const [a, b] = [await office.agent('a', project), await office.agent('b', project)];
      const task = await office.task(project, 't', 'in_progress', { assignee_id: a.id });
      const client = await world.client({ name: 'worker' });
      const session_token = await office.login(a, project, client);
      await world.call('get_my_task', { session_token }, client);
      const stranger = await world.client({ name: 'stranger' });
      const neighbour = await world.client({ name: 'neighbour' });
      await office.login(b, project, neighbour);
      for (const [tool, input] of [
        ['update_task_status', { task_id: task, status: 'done' }],
        ['assign_task', { task_id: task, assignee_id: b.id }],
        ['create_handoff', { task_id: task, from_agent_id: a.id, to_agent_id: b.id, summary: 's' }],
        ['save_context', { task_id: task, next_steps: 'Delete everything' }],
      ] as const)
        for (const other of [stranger, neighbour])
          expect((await world.call(tool, input, other)).value).toMatchObject({ code: 'TASK_CLAIMED' });
      expect((await world.call('get_task_context', { task_id: task })).value['context']).toBeNull();
      const saved = await world.call('save_context', { task_id: task, progress: 'half' }, client);
      expect(saved.value['context']).toMatchObject({ progress: 'half', saved_by: `agent:${a.id}` });
      const noted = await world.call('save_context', { task_id: task, findings: 'from a person' }, office.person);
      expect(noted.value['context']).toMatchObject({ progress: 'half', findings: 'from a person' });
      const own = await world.call('update_task_status', { task_id: task, status: 'blocked' }, client);
      expect(own.value['task'].status).toBe('blocked');
    });

    clause(
      `${requires('work.task.claim.binds')} (two clients of one name in the 2026 era)`,
      async ({ world, office }) => {
        // Over HTTP nothing tells them apart there.
        if (world.surface === 'http') return;
        const project = await office.project('p');
        const a = await office.agent('a', project);
        const task = await office.task(project, 't', 'in_progress', { assignee_id: a.id });
        const modern = { name: 'same', options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } } as const;
        const [worker, stranger] = [await world.client(modern), await world.client(modern)];
        const session_token = await office.login(a, project, worker);
        await world.call('get_my_task', { session_token }, worker);
        const wish = { task_id: task, status: 'blocked' };
        expect((await world.call('update_task_status', wish, stranger)).value['code']).toBe('TASK_CLAIMED');
        expect((await world.call('update_task_status', wish, worker)).value['task'].status).toBe('blocked');
      },
    );

    clause(requires('work.members'), async ({ world, office }) => {
      const project = await office.project('p');
      const a = await office.agent('a', project);
      const stranger = await office.agent('stranger');
      const task = await office.task(project, 't', 'todo', { assignee_id: a.id });
      const mine = { task_id: task, from_agent_id: a.id };
      for (const [tool, input, code] of [
        ['assign_task', { task_id: task, assignee_id: stranger.id }, 'NOT_ASSIGNED'],
        ['update_task', { task_id: task, assignee_id: stranger.id }, 'NOT_ASSIGNED'],
        ['create_task', { project_id: project, title: 'x', assignee_id: stranger.id }, 'NOT_ASSIGNED'],
        ['create_handoff', { ...mine, to_agent_id: stranger.id, summary: 's' }, 'NOT_ASSIGNED'],
        ['create_handoff', { ...mine, to_agent_id: a.id, summary: 's' }, 'HANDOFF_TO_SELF'],
        ['create_handoff', { ...mine, summary: '  ' }, 'VALIDATION_ERROR'],
        ['create_handoff', { ...mine, to_agent_id: 'agt_no', summary: 's' }, 'AGENT_NOT_FOUND'],
      ] as const)
        expect((await world.call(tool, input, office.person)).value['code']).toBe(code);
      const { value } = await world.call('create_handoff', { ...mine, summary: 'for anybody' });
      const taken = await world.call('accept_handoff', { handoff_id: value['handoff_id'], agent_id: stranger.id });
      expect(taken.value['code']).toBe('NOT_ASSIGNED');
      expect((await office.read(task))['assignee_id']).toBe(a.id);
    });

    clause(requires('work.unknown'), async ({ world }) => {
      for (const [tool, input, code] of [
        ['list_tasks', { assignee_id: 'agt_no' }, 'AGENT_NOT_FOUND'],
        ['list_tasks', { parent_id: 'tsk_no' }, 'TASK_NOT_FOUND'],
        ['list_execution_logs', { agent_id: 'agt_no' }, 'AGENT_NOT_FOUND'],
        ['list_execution_logs', { task_id: 'tsk_no' }, 'TASK_NOT_FOUND'],
        ['get_pending_handoffs', { agent_id: 'agt_no' }, 'AGENT_NOT_FOUND'],
      ] as const)
        expect((await world.call(tool, input)).value['code']).toBe(code);
    });

    clause(requires('work.unverified'), async ({ world, office }) => {
      const project = await office.project('p');
      const task = await office.task(project, 't');
      const anonymous = await world.client({ name: 'anonymous' });
      await world.call('update_task_status', { task_id: task, status: 'todo' }, anonymous);
      await world.call('save_context', { task_id: task, progress: 'p' }, anonymous);
      await world.cli(['work', 'update-task-status', '--task-id', task, '--status', 'in_progress', '--json']);
      const { value } = await world.call('get_task_history', { task_id: task });
      const actors = value['history'].map((one: Answer) => one['actor'] as string) as string[];
      expect(actors).toHaveLength(4);
      expect(actors[0]).not.toContain('unverified');
      for (const actor of actors.slice(1)) expect(actor).toMatch(/^agent:os:.+ \(unverified\)$/);
      const { value: saved } = await world.call('get_task_context', { task_id: task });
      expect(saved['context'].saved_by).toContain('(unverified)');
    });

    clause(requires('work.limits'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const task = await office.task(project, 'x'.repeat(500), 'in_progress', {
        assignee_id: agent.id,
        description: 'd'.repeat(65_536),
      });
      expect((await office.read(task))['description']).toHaveLength(65_536);
      const long = 'd'.repeat(65_537);
      // Bytes count: this is 64 KB and one character in UTF-8.
      const wide = '関'.repeat(21_846);
      const session_token = await office.login(agent, project);
      for (const [tool, input] of [
        ['create_task', { project_id: project, title: 'x'.repeat(501) }],
        ['create_task', { project_id: project, title: 't', description: long }],
        ['create_task', { project_id: project, title: 't', description: wide }],
        ['update_task', { task_id: task, title: 'x'.repeat(501) }],
        ['update_task', { task_id: task, description: long }],
        ['create_handoff', { task_id: task, from_agent_id: agent.id, summary: long }],
        ['report_completed', { session_token, result: 'success', summary: long }],
        ['save_context', { task_id: task, progress: long }],
      ] as const)
        expect((await world.call(tool, input, office.person)).value['code']).toBe('VALIDATION_ERROR');
    });

    clause(requires('work.executions.again'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
      const session_token = await office.login(agent, project);
      const start = async () =>
        (await world.call('report_execution_start', { session_token, task_id: task })).value['execution_id'] as string;
      const first = await start();
      expect(await start()).toBe(first);
      const end = { session_token, execution_id: first, exit_code: 1, duration_seconds: 1, log_file_path: 'x' };
      await world.call('report_execution_complete', end);
      const second = await start();
      expect(second).not.toBe(first);
      await world.call('report_completed', { session_token, result: 'success' });
      const logs = async (id: string) => (await world.call('get_execution_log', { execution_id: id })).value['log'];
      expect(await logs(first)).toMatchObject({ status: 'failed', exitCode: 1 });
      expect(await logs(second)).toMatchObject({ status: 'completed', exitCode: 0 });
      const other = await office.task(project, 'u', 'in_progress', { assignee_id: agent.id });
      const again = await office.login(agent, project);
      await world.call('get_my_task', { session_token: again });
      await world.call('report_completed', { session_token: again, result: 'failed' });
      const { value } = await world.call('list_execution_logs', { task_id: other });
      expect(value['logs']).toMatchObject([{ status: 'failed', exitCode: 1 }]);
    });

    clause(requires('work.process.goal'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      await office.task(project, 'Sort the fees', 'todo', {
        assignee_id: agent.id,
        process_id: 'explore-plan-implement-verify',
      });
      const session_token = await office.login(agent, project);
      const { value } = await world.call('get_my_task', { session_token });
      expect(value['task'].process.prompt).toContain('Goal: Sort the fees');
    });
  });
});
