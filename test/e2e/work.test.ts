import { expect } from 'vitest';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { inTwoWorlds } from './world.ts';
import { workStory } from './work-world.ts';

inTwoWorlds('work', (test) => {
  workStory(test, 'sessions', (clause) => {
    clause(requires('work.runner-api'), async ({ world, office }) => {
      const project = await office.project('Frontend App');
      const agent = await office.agent('frontend-dev', project);
      const health = await world.call('health_check');
      expect(health.value).toEqual({ status: 'ok', version: expect.any(String), timestamp: expect.any(String) });
      const listed = await world.call('list_active_projects_with_agents');
      expect(listed.value['success']).toBe(true);
      expect(listed.value['projects']).toContainEqual({
        project_id: project,
        project_name: 'Frontend App',
        working_directory: world.project,
        agents: [agent.id],
      });
      const should = async () => (await world.call('should_start', { agent_id: agent.id, project_id: project })).value;
      expect(await should()).toEqual({ should_start: false });
      const task = await office.task(project, 'one', 'todo', { assignee_id: agent.id });
      // Ready work starts too: here we differ from the document.
      expect(await should()).toEqual({ should_start: true, ai_type: 'scripted' });
      await office.move(task, 'in_progress');
      expect(await should()).toEqual({ should_start: true, ai_type: 'scripted' });
      const token = await office.login(agent, project);
      expect(await should()).toEqual({ should_start: false });
      await world.call('logout', { session_token: token });
      expect(await should()).toEqual({ should_start: true, ai_type: 'scripted' });
      for (const pair of [
        { agent_id: 'agt_nobody', project_id: project },
        { agent_id: agent.id, project_id: 'prj_nowhere' },
      ])
        expect((await world.call('should_start', pair)).value).toEqual({ should_start: false });
      await office.admin('set_project_status', { project_id: project, status: 'inactive' });
      expect(await should()).toEqual({ should_start: false });
      const after = await world.call('list_active_projects_with_agents');
      expect(after.value['projects'].map((one: any) => one.project_id)).not.toContain(project);
    });

    clause(requires('work.authenticate'), async ({ world, office }) => {
      const project = await office.project('Frontend App');
      const agent = await office.agent('frontend-dev', project);
      const { value } = await world.call('authenticate', {
        agent_id: agent.id,
        passkey: agent.passkey,
        project_id: project,
      });
      expect(value).toEqual({
        success: true,
        session_token: expect.stringMatching(/^sess_/),
        expires_in: 3600,
        agent_name: 'frontend-dev',
        project_name: 'Frontend App',
        system_prompt: 'You are frontend-dev.',
        instruction: expect.stringContaining('get_my_task'),
      });
    });

    clause(requires('work.authenticate.refused'), async ({ world, office }) => {
      const project = await office.project('p');
      const other = await office.project('other');
      const agent = await office.agent('a', project);
      const resting = await office.agent('resting', project);
      await office.admin('set_agent_status', { agent_id: resting.id, status: 'inactive' });
      const refused = { success: false, error: 'Invalid agent_id or passkey', code: 'INVALID_CREDENTIALS' };
      for (const input of [
        { agent_id: agent.id, passkey: 'wrong', project_id: project },
        { agent_id: 'agt_unknown', passkey: agent.passkey, project_id: project },
        { agent_id: agent.id, passkey: agent.passkey, project_id: other },
        { agent_id: agent.id, passkey: agent.passkey, project_id: 'prj_unknown' },
        { agent_id: agent.id, project_id: project },
        { agent_id: resting.id, passkey: resting.passkey, project_id: project },
      ]) {
        const { isError, value, raw } = await world.call('authenticate', input);
        expect(isError).toBe(true);
        expect(raw['structuredContent']).toBeUndefined();
        expect(value).toEqual(refused);
      }
    });

    clause(requires('work.one-instance'), async ({ world, office }) => {
      const one = await office.project('one');
      const two = await office.project('two');
      const agent = await office.agent('x', one, two);
      const token = await office.login(agent, one);
      const again = await world.call('authenticate', { agent_id: agent.id, passkey: agent.passkey, project_id: one });
      expect(again.value).toEqual({
        success: false,
        error: 'Agent instance already running for this project',
        code: 'ALREADY_RUNNING',
      });
      expect(await office.login(agent, two)).toMatch(/^sess_/);
      await world.call('logout', { session_token: token });
      expect(await office.login(agent, one)).toMatch(/^sess_/);
    });

    clause(requires('work.session.dead'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const token = await office.login(agent, project);
      await world.call('logout', { session_token: token });
      for (const session_token of [token, 'sess_never']) {
        for (const [tool, more] of [
          ['get_my_task', {}],
          ['report_completed', { result: 'success' }],
          ['get_pending_tasks', {}],
          ['logout', {}],
        ] as const) {
          const { value } = await world.call(tool, { session_token, ...more });
          expect(value).toEqual({ success: false, error: 'Invalid or expired session_token', code: 'INVALID_SESSION' });
        }
      }
    });
  });

  workStory(test, 'an agent’s task', (clause) => {
    clause(requires('work.get_my_task'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const idle = await office.login(agent, project);
      expect((await world.call('get_my_task', { session_token: idle })).value).toEqual({
        success: true,
        has_task: false,
        instruction: expect.any(String),
      });
      const task = await office.task(project, 'Build it', 'in_progress', {
        assignee_id: agent.id,
        description: 'All of it',
        acceptance: ['it works'],
      });
      await world.call('save_context', { task_id: task, progress: 'half' });
      const { value } = await world.call('get_my_task', { session_token: idle });
      expect(value).toMatchObject({
        success: true,
        has_task: true,
        task: {
          task_id: task,
          title: 'Build it',
          description: 'All of it',
          working_directory: world.project,
          context: { progress: 'half', findings: null },
          handoff: null,
          acceptance: ['it works'],
        },
        instruction: expect.stringContaining('report_completed'),
      });
    });

    clause(requires('work.get_my_task.order'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const other = await office.agent('b', project);
      const mine = { assignee_id: agent.id };
      const low = await office.task(project, 'low', 'todo', { ...mine, priority: 'low' });
      const high = await office.task(project, 'high', 'todo', { ...mine, priority: 'high' });
      const waiting = await office.task(project, 'waiting', 'todo', { ...mine, priority: 'urgent', depends_on: [low] });
      const handed = await office.task(project, 'handed', 'in_progress', { assignee_id: other.id });
      const first = await office.task(project, 'first', 'in_progress', mine);
      const second = await office.task(project, 'second', 'in_progress', mine);
      const handoff = await world.call('create_handoff', {
        task_id: handed,
        from_agent_id: other.id,
        to_agent_id: agent.id,
        summary: 'yours',
      });
      const seen: string[] = [];
      for (let turn = 0; turn < 6; turn++) {
        const session_token = await office.login(agent, project);
        const { value } = await world.call('get_my_task', { session_token });
        seen.push(value['task'].task_id as string);
        if (value['task'].task_id === handed) {
          expect(value['task'].handoff).toMatchObject({ handoff_id: handoff.value['handoff_id'], summary: 'yours' });
          expect(value['instruction']).toContain('accept_handoff');
          await world.call('accept_handoff', { handoff_id: handoff.value['handoff_id'], agent_id: agent.id });
        }
        const done = await world.call('report_completed', { session_token, result: 'success' });
        expect(done.value['success']).toBe(true);
      }
      expect(seen).toEqual([first, second, handed, high, low, waiting]);
    });

    clause(requires('work.get_my_task.one-execution'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
      const session_token = await office.login(agent, project);
      await Promise.all([1, 2, 3].map(() => world.call('get_my_task', { session_token })));
      const logs = () => office.logs(task);
      expect(await logs()).toMatchObject([{ taskId: task, agentId: agent.id, status: 'running', completedAt: null }]);
      await world.call('report_completed', { session_token, result: 'success' });
      expect(await logs()).toMatchObject([{ status: 'completed', completedAt: expect.any(String) }]);
    });

    clause(requires('work.report_completed'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      for (const [result, status] of [
        ['success', 'done'],
        ['failed', 'blocked'],
        ['blocked', 'blocked'],
      ] as const) {
        const task = await office.task(project, result, 'in_progress', { assignee_id: agent.id });
        const session_token = await office.login(agent, project);
        await world.call('get_my_task', { session_token });
        const { value } = await world.call('report_completed', {
          session_token,
          result,
          summary: 'what I did',
          next_steps: 'what remains',
        });
        expect(value).toEqual({ success: true, instruction: expect.any(String) });
        expect(await office.read(task)).toMatchObject({ status, summary: 'what I did', claimed_by: null });
        const { value: saved } = await world.call('get_task_context', { task_id: task });
        expect(saved['context']).toMatchObject({ progress: 'what I did', next_steps: 'what remains' });
        const dead = await world.call('get_my_task', { session_token });
        expect(dead.value['code']).toBe('INVALID_SESSION');
      }
    });
  });

  workStory(test, 'tasks', (clause) => {
    clause(requires('work.moves'), async ({ office }) => {
      const table: Record<string, readonly string[]> = {
        backlog: ['todo', 'cancelled'],
        todo: ['in_progress', 'backlog', 'cancelled'],
        in_progress: ['done', 'blocked', 'todo'],
        blocked: ['in_progress', 'cancelled'],
        done: [],
        cancelled: [],
      };
      const project = await office.project('p');
      for (const from of Object.keys(table)) {
        for (const to of Object.keys(table)) {
          const task = await office.task(project, `${from} to ${to}`, from);
          const { isError, value } = await office.move(task, to);
          expect([from, to, isError]).toEqual([from, to, !table[from]?.includes(to)]);
          if (isError) expect(value).toMatchObject({ code: 'INVALID_TRANSITION', details: { possible: table[from] } });
          else expect(value['task'].status).toBe(to);
        }
      }
    });

    clause(requires('work.dependencies'), async ({ world, office }) => {
      const project = await office.project('p');
      const first = await office.task(project, 'first', 'todo');
      const then = await office.task(project, 'then', 'todo', { depends_on: [first] });
      const early = await office.move(then, 'in_progress');
      expect(early.value).toMatchObject({ code: 'DEPENDENCIES_OPEN', details: { open_dependencies: [first] } });
      const cycle = await world.call('update_task', { task_id: first, depends_on: [then] }, office.person);
      expect(cycle.value['code']).toBe('DEPENDENCY_CYCLE');
      // Edited together with the state, the new ones count.
      const edit = (task_id: string, depends_on: readonly string[]) =>
        world.call('update_task', { task_id, depends_on, status: 'in_progress' }, office.person);
      const free = await office.task(project, 'free', 'todo');
      expect((await edit(free, [first])).value).toMatchObject({
        code: 'DEPENDENCIES_OPEN',
        details: { open_dependencies: [first] },
      });
      const freed = await office.task(project, 'freed', 'todo', { depends_on: [first] });
      expect((await edit(freed, [])).value['task']).toMatchObject({ status: 'in_progress', depends_on: [] });
      await office.move(first, 'in_progress', 'done');
      expect((await office.move(then, 'in_progress')).value['task'].status).toBe('in_progress');
      const unknown = await world.call(
        'create_task',
        { project_id: project, title: 'x', depends_on: ['tsk_no'] },
        office.person,
      );
      expect(unknown.value['code']).toBe('TASK_NOT_FOUND');
    });

    clause(requires('work.task.fields'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const parent = await office.task(project, 'parent');
      const task = await office.task(project, 'child', 'backlog', {
        description: 'd',
        assignee_id: agent.id,
        priority: 'high',
        parent_id: parent,
        labels: ['ui'],
        acceptance: 'one line is a list of one',
      });
      expect(await office.read(task)).toMatchObject({
        task_id: task,
        project_id: project,
        status: 'backlog',
        priority: 'high',
        parent_id: parent,
        labels: ['ui'],
        acceptance: ['one line is a list of one'],
        assignee_id: agent.id,
        revision: 1,
      });
      const changed = await office.admin('update_task', {
        task_id: task,
        title: 'renamed',
        priority: 'low',
        labels: ['ui', 'api'],
        parent_id: null,
        assignee_id: null,
        expected_revision: 1,
      });
      expect(changed['task']).toMatchObject({
        title: 'renamed',
        priority: 'low',
        labels: ['ui', 'api'],
        parent_id: null,
        assignee_id: null,
        description: 'd',
        revision: 2,
      });
      const stale = await world.call('update_task', { task_id: task, title: 'x', expected_revision: 1 }, office.person);
      expect(stale.value).toMatchObject({ code: 'TASK_CONFLICT', details: { current_revision: 2 } });
      expect(stale.value['error']).toContain('revision 2');
      const assigned = await world.call('assign_task', { task_id: task, assignee_id: agent.id });
      expect(assigned.value['task'].assignee_id).toBe(agent.id);
      expect((await world.call('assign_task', { task_id: task, assignee_id: 'agt_no' })).value['code']).toBe(
        'AGENT_NOT_FOUND',
      );
      await office.admin('delete_task', { task_id: parent });
      expect((await world.call('get_task', { task_id: parent })).value['code']).toBe('TASK_NOT_FOUND');
    });

    clause(requires('work.task.history'), async ({ world, office }) => {
      const project = await office.project('p');
      const task = await office.task(project, 'a', 'todo');
      await office.admin('update_task', { task_id: task, title: 'b', priority: 'urgent', reason: 'it burns' });
      const { value } = await world.call('get_task_history', { task_id: task });
      expect(value['history'].map((one: any) => [one.kind, one.changes])).toEqual([
        ['task.created', {}],
        ['task.updated', { status: { from: 'backlog', to: 'todo' } }],
        ['task.updated', { title: { from: 'a', to: 'b' }, priority: { from: 'medium', to: 'urgent' } }],
      ]);
      expect(value['history'][2]).toMatchObject({
        actor: expect.stringContaining('human'),
        data: { reason: 'it burns' },
      });
      const page = await world.call('get_task_history', { task_id: task, limit: 2 });
      const rest = await world.call('get_task_history', { task_id: task, limit: 2, cursor: page.value['next_cursor'] });
      expect(rest.value['history']).toHaveLength(1);
    });

    clause(requires('work.context'), async ({ world, office }) => {
      const project = await office.project('p');
      const task = await office.task(project, 't');
      expect((await world.call('get_task_context', { task_id: task })).value).toEqual({ success: true, context: null });
      await world.call('save_context', { task_id: task, progress: 'one', findings: 'found' });
      const { value } = await world.call('save_context', { task_id: task, progress: 'two', next_steps: 'more' });
      expect(value['context']).toMatchObject({ task_id: task, progress: 'two', findings: 'found', next_steps: 'more' });
      const all = await world.call('get_task_context', { task_id: task, include_history: true });
      expect(all.value['context']).toMatchObject({ progress: 'two', findings: 'found', blockers: null });
      expect(all.value['history'].map((one: any) => one.progress)).toEqual(['two', 'one']);
      expect((await world.call('save_context', { task_id: 'tsk_no' })).value['code']).toBe('TASK_NOT_FOUND');
    });
  });

  workStory(test, 'hand-offs', (clause) => {
    clause(requires('work.handoff'), async ({ world, office }) => {
      const project = await office.project('p');
      const a = await office.agent('a', project);
      const b = await office.agent('b', project);
      const task = await office.task(project, 't', 'in_progress', { assignee_id: a.id });
      const should = async (agent: { id: string }) =>
        (await world.call('should_start', { agent_id: agent.id, project_id: project })).value[
          'should_start'
        ] as boolean;
      const first = await office.login(a, project);
      await world.call('get_my_task', { session_token: first });
      expect(await should(b)).toBe(false);
      const { value } = await world.call('create_handoff', {
        task_id: task,
        from_agent_id: a.id,
        to_agent_id: b.id,
        summary: 'UI tests are missing',
        context: 'the forms work',
        recommendations: 'start with login',
      });
      expect(value).toMatchObject({ success: true, handoff_id: expect.stringMatching(/^hnd_/) });
      expect(await should(b)).toBe(true);
      const pending = await world.call('get_pending_handoffs', { agent_id: b.id });
      expect(pending.value['handoffs']).toMatchObject([
        {
          handoff_id: value['handoff_id'],
          task_id: task,
          from_agent_id: a.id,
          to_agent_id: b.id,
          summary: 'UI tests are missing',
          context: 'the forms work',
          recommendations: 'start with login',
          accepted_at: null,
        },
      ]);
      const second = await office.login(b, project);
      const offered = await world.call('get_my_task', { session_token: second });
      expect(offered.value['task']).toMatchObject({ task_id: task, handoff: { summary: 'UI tests are missing' } });
      const unaccepted = await world.call('report_completed', { session_token: second, result: 'success' });
      expect(unaccepted.value['code']).toBe('TASK_NOT_YOURS');
      const accepted = await world.call('accept_handoff', { handoff_id: value['handoff_id'], agent_id: b.id });
      expect(accepted.value).toMatchObject({
        success: true,
        handoff: { accepted_at: expect.any(String), accepted_by: b.id },
        task: { assignee_id: b.id, status: 'in_progress', claimed_by: b.id },
      });
      const late = await world.call('report_completed', { session_token: first, result: 'success' });
      expect(late.value).toMatchObject({ success: false, code: 'TASK_NOT_YOURS' });
      expect((await office.read(task))['status']).toBe('in_progress');
      expect((await world.call('logout', { session_token: first })).value['success']).toBe(true);
      await world.call('report_completed', { session_token: second, result: 'success' });
      expect((await office.read(task))['status']).toBe('done');
    });

    clause('a task that is closed takes back what was offered', async ({ world, office }) => {
      const project = await office.project('p');
      const [a, b] = [await office.agent('a', project), await office.agent('b', project)];
      for (const way of [['done'], ['blocked', 'cancelled']]) {
        const task = await office.task(project, 't', 'in_progress', { assignee_id: a.id });
        const { value } = await world.call('create_handoff', {
          task_id: task,
          from_agent_id: a.id,
          to_agent_id: b.id,
          summary: 's',
        });
        const pending = async () =>
          (await world.call('get_pending_handoffs', { agent_id: b.id })).value['handoffs'].map(
            (one: any) => one.handoff_id,
          ) as string[];
        expect(await pending()).toEqual([value['handoff_id']]);
        await office.move(task, ...way);
        expect(await pending()).toEqual([]);
        const late = await world.call('accept_handoff', { handoff_id: value['handoff_id'], agent_id: b.id });
        expect(late.value['code']).toBe('HANDOFF_CLOSED');
      }
    });

    clause('a task that is given to somebody else takes back what was offered', async ({ world, office }) => {
      const project = await office.project('p');
      const [a, b, c] = [
        await office.agent('a', project),
        await office.agent('b', project),
        await office.agent('c', project),
      ];
      const ways: readonly ((task_id: string) => Promise<unknown>)[] = [
        (task_id) => world.call('assign_task', { task_id, assignee_id: c.id }),
        (task_id) => office.admin('update_task', { task_id, assignee_id: c.id }),
      ];
      for (const give of ways) {
        const task = await office.task(project, 't', 'in_progress', { assignee_id: a.id });
        const hand = { task_id: task, from_agent_id: a.id, to_agent_id: b.id, summary: 's' };
        const { value } = await world.call('create_handoff', hand);
        await give(task);
        const session_token = await office.login(c, project);
        const got = await world.call('get_my_task', { session_token });
        expect(got.value['task']).toMatchObject({ task_id: task, handoff: null });
        const should = await world.call('should_start', { agent_id: b.id, project_id: project });
        expect(should.value['should_start']).toBe(false);
        const late = await world.call('accept_handoff', { handoff_id: value['handoff_id'], agent_id: b.id });
        expect(late.value['code']).toBe('HANDOFF_CLOSED');
        expect(await office.read(task)).toMatchObject({ assignee_id: c.id, claimed_by: c.id });
        await world.call('report_completed', { session_token, result: 'success' });
      }
    });

    clause('an agent that leaves the project leaves what was offered to it', async ({ world, office }) => {
      const [project, other] = [await office.project('p'), await office.project('q')];
      const [a, b] = [await office.agent('a', project, other), await office.agent('b', project, other)];
      const hand = async (where: string) => {
        const task_id = await office.task(where, 't', 'in_progress', { assignee_id: a.id });
        const given = { task_id, from_agent_id: a.id, to_agent_id: b.id, summary: 's' };
        return (await world.call('create_handoff', given)).value['handoff_id'] as string;
      };
      const [left, kept] = [await hand(project), await hand(other)];
      const should = async () =>
        (await world.call('should_start', { agent_id: a.id, project_id: project })).value['should_start'] as boolean;
      expect(await should()).toBe(false);
      await office.admin('unassign_agent', { agent_id: b.id, project_id: project });
      expect(await should()).toBe(true);
      const { value } = await world.call('get_pending_handoffs', { agent_id: b.id });
      expect(value['handoffs'].map((one: any) => one.handoff_id)).toEqual([kept]);
      const late = await world.call('accept_handoff', { handoff_id: left, agent_id: b.id });
      expect(late.value['code']).toBe('HANDOFF_CLOSED');
    });

    clause(requires('work.handoff.errors'), async ({ world, office }) => {
      const project = await office.project('p');
      const [a, b, c] = [
        await office.agent('a', project),
        await office.agent('b', project),
        await office.agent('c', project),
      ];
      const task = await office.task(project, 't', 'in_progress', { assignee_id: a.id });
      const hand = (to?: string) =>
        world.call('create_handoff', {
          task_id: task,
          from_agent_id: a.id,
          ...(to !== undefined && { to_agent_id: to }),
          summary: 's',
        });
      const { value } = await hand(b.id);
      const accept = (handoff_id: string, agent_id: string) => world.call('accept_handoff', { handoff_id, agent_id });
      expect((await accept(value['handoff_id'], c.id)).value['code']).toBe('HANDOFF_NOT_YOURS');
      expect((await accept('hnd_no', c.id)).value['code']).toBe('HANDOFF_NOT_FOUND');
      const open = await hand();
      expect((await accept(value['handoff_id'], b.id)).value['code']).toBe('HANDOFF_CLOSED');
      const ids = async (agent?: string) => {
        const input = agent === undefined ? {} : { agent_id: agent };
        const { value: found } = await world.call('get_pending_handoffs', { ...input, limit: 500 });
        return found['handoffs'].map((one: any) => one.handoff_id) as string[];
      };
      for (const agent of [b.id, c.id, undefined]) expect(await ids(agent)).toContain(open.value['handoff_id']);
      const both = await Promise.all([b.id, c.id].map((agent) => accept(open.value['handoff_id'], agent)));
      expect(both.filter((one) => !one.isError)).toHaveLength(1);
      expect(both.find((one) => one.isError)?.value).toMatchObject({ code: 'HANDOFF_CLOSED' });
      expect((await hand(b.id)).value['code']).toBe('TASK_NOT_YOURS');
    });
  });

  workStory(test, 'executions', (clause) => {
    clause(requires('work.deprecated'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id, priority: 'high' });
      const session_token = await office.login(agent, project);
      const pending = await world.call('get_pending_tasks', { session_token });
      expect(pending.value).toEqual({
        success: true,
        tasks: [
          {
            taskId: task,
            number: 1,
            projectId: project,
            title: 't',
            description: '',
            priority: 'high',
            workingDirectory: world.project,
            assignedAt: expect.any(String),
          },
        ],
      });
      const begun = await world.call('report_execution_start', { session_token, task_id: task });
      expect(begun.value).toEqual({
        success: true,
        execution_id: expect.stringMatching(/^exec_/),
        started_at: expect.any(String),
      });
      const complete = (execution_id: string, exit_code: number) =>
        world.call('report_execution_complete', {
          session_token,
          execution_id,
          exit_code,
          duration_seconds: 930.5,
          log_file_path: '/logs/x.log',
        });
      const wrong = {
        success: false,
        error: 'Invalid execution_id or session_token',
        code: 'INVALID_EXECUTION_OR_SESSION',
      };
      expect((await complete('exec_no', 0)).value).toEqual(wrong);
      expect((await complete(begun.value['execution_id'], 0)).value).toEqual({
        success: true,
        execution_id: begun.value['execution_id'],
        completed_at: expect.any(String),
        status: 'completed',
      });
      expect((await complete(begun.value['execution_id'], 0)).value).toEqual(wrong);
      const { value: log } = await world.call('get_execution_log', { execution_id: begun.value['execution_id'] });
      expect(log).toEqual({
        success: true,
        log: {
          executionId: begun.value['execution_id'],
          taskId: task,
          agentId: agent.id,
          status: 'completed',
          exitCode: 0,
          durationSeconds: 930.5,
          startedAt: expect.any(String),
          completedAt: expect.any(String),
          logFilePath: '/logs/x.log',
        },
      });
      for (const [exit, status] of [
        [1, 'failed'],
        [127, 'failed'],
        [128, 'error'],
        [-1, 'error'],
      ] as const) {
        const next = await office.task(project, String(exit), 'in_progress', { assignee_id: agent.id });
        const { value } = await world.call('report_execution_start', { session_token, task_id: next });
        expect((await complete(value['execution_id'], exit)).value['status']).toBe(status);
      }
      for (const input of [
        { session_token, task_id: 'tsk_no' },
        { session_token: 'sess_no', task_id: task },
      ])
        expect((await world.call('report_execution_start', input)).value).toEqual({
          success: false,
          error: 'Invalid session_token or task_id',
          code: 'INVALID_SESSION_OR_TASK',
        });
      const { tools } = await office.person.listTools();
      for (const name of ['get_pending_tasks', 'report_execution_start', 'report_execution_complete'])
        expect(tools.find((one) => one.name === name)?.description).toMatch(/^Deprecated: /);
    });

    clause(requires('work.executions'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const session_token = await office.login(agent, project);
      let task = '';
      for (let turn = 0; turn < 21; turn++) {
        task = await office.task(project, String(turn), 'todo', { assignee_id: agent.id });
        await world.call('report_execution_start', { session_token, task_id: task });
      }
      const of_task = await world.call('list_execution_logs', { task_id: task });
      expect(of_task.value['logs']).toMatchObject([{ taskId: task, status: 'running' }]);
      const page = await world.call('list_execution_logs', { agent_id: agent.id });
      expect(page.value['logs']).toHaveLength(20);
      const rest = await world.call('list_execution_logs', { agent_id: agent.id, cursor: page.value['next_cursor'] });
      expect(rest.value['logs']).toHaveLength(1);
      expect((await world.call('get_execution_log', { execution_id: 'exec_no' })).value['code']).toBe(
        'EXECUTION_NOT_FOUND',
      );
    });
  });

  workStory(test, 'resources and prompts', (clause) => {
    clause(requires('work.resources'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
      const session_token = await office.login(agent, project);
      await world.call('get_my_task', { session_token });
      await world.call('save_context', { task_id: task, findings: 'f' });
      await world.call('create_handoff', { task_id: task, from_agent_id: agent.id, summary: 's' });
      const { value } = await world.call('list_execution_logs', { task_id: task });
      const execution = value['logs'][0].executionId as string;
      const client = office.person;
      const updated: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
      for (const uri of [`task://${task}`, `context://${task}`]) await client.subscribeResource({ uri });
      await world.call('save_context', { task_id: task, blockers: 'b' });
      await office.admin('update_task', { task_id: task, priority: 'high' });
      await until('both are told', () => new Set(updated).size === 2);
      const { resourceTemplates } = await client.listResourceTemplates();
      const templates = resourceTemplates.map((one) => one.uriTemplate);
      expect(templates).toEqual(
        expect.arrayContaining([
          'agent://{id}',
          'project://{id}',
          'task://{id}',
          'context://{taskId}',
          'handoff://{taskId}',
          'execution://{id}',
          'executions://{taskId}',
        ]),
      );
      const read = async (uri: string) => {
        const { contents } = await client.readResource({ uri });
        return JSON.parse((contents[0] as { text: string }).text) as unknown;
      };
      expect(await read(`agent://${agent.id}`)).toMatchObject({ agent_id: agent.id, projects: [project] });
      expect(await read(`project://${project}`)).toMatchObject({ project_id: project, agents: [agent.id] });
      expect(await read(`task://${task}`)).toMatchObject({ task_id: task, status: 'in_progress' });
      expect(await read(`context://${task}`)).toMatchObject({ findings: 'f' });
      expect(await read(`handoff://${task}`)).toMatchObject({ summary: 's' });
      expect(await read(`execution://${execution}`)).toMatchObject({ executionId: execution, logFilePath: null });
      expect(await read(`executions://${task}`)).toMatchObject([{ executionId: execution }]);
      await expect(read('task://tsk_no')).rejects.toThrow('There is no resource');
      await expect(read('agent://me')).rejects.toThrow('There is no resource');
      const uris: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await client.listResources(cursor === undefined ? {} : { cursor });
        uris.push(...page.resources.map((one) => one.uri));
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      expect(uris).toEqual(
        expect.arrayContaining([`task://${task}`, `execution://${execution}`, `agent://${agent.id}`]),
      );
    });

    clause(requires('work.prompts'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('painter', project);
      const task = await office.task(project, 'Paint', 'backlog', { description: 'the wall', acceptance: ['white'] });
      await world.call('save_context', { task_id: task, progress: 'half a wall' });
      const get_prompt = async (name: string, args: Record<string, string>) => {
        const { messages } = await office.person.getPrompt({ name, arguments: args });
        return (messages[0] as { content: { text: string } }).content.text;
      };
      const start = await get_prompt('task_start', { task_id: task, agent_id: agent.id });
      for (const part of ['Paint', 'the wall', 'white', 'half a wall', 'painter']) expect(start).toContain(part);
      expect(await get_prompt('handoff_template', { task_id: task, from_agent_id: agent.id })).toContain(
        'create_handoff',
      );
      expect(await get_prompt('context_summary', { task_id: task })).toContain('half a wall');
      await expect(get_prompt('task_start', { task_id: 'tsk_no', agent_id: agent.id })).rejects.toThrow(
        'There is no task',
      );
      const { prompts } = await office.person.listPrompts();
      expect(prompts.map((one) => one.name)).toEqual(
        expect.arrayContaining(['task_start', 'handoff_template', 'context_summary']),
      );
    });
  });

  workStory(test, 'what a person sets up', (clause) => {
    clause(requires('work.admin'), async ({ world, office }) => {
      const made = await office.admin('create_project', {
        name: 'Named',
        working_directory: '/srv/x',
        id: `prj_${world.surface}`,
      });
      expect(made).toMatchObject({
        success: true,
        project_id: `prj_${world.surface}`,
        project: { status: 'active', working_directory: '/srv/x' },
      });
      const taken = await world.call(
        'create_project',
        { name: 'Again', working_directory: '/', id: `prj_${world.surface}` },
        office.person,
      );
      expect(taken.value).toMatchObject({ success: false, code: 'ID_TAKEN' });
      const agent = await office.admin('create_agent', {
        name: 'n',
        ai_type: 'codex',
        role: 'reviewer',
        system_prompt: 'Be kind.',
      });
      expect(agent).toMatchObject({
        success: true,
        agent_id: expect.stringMatching(/^agt_/),
        passkey: expect.any(String),
      });
      const profile = await world.call('get_agent_profile', { agent_id: agent['agent_id'] });
      expect(profile.value['agent']).toMatchObject({
        agent_name: 'n',
        ai_type: 'codex',
        role: 'reviewer',
        status: 'active',
        projects: [],
      });
      expect(profile.text).not.toContain(agent['passkey']);
      expect(profile.text).not.toContain('scrypt');
      await office.admin('assign_agent', { project_id: made['project_id'], agent_id: agent['agent_id'] });
      const project = await world.call('get_project', { project_id: made['project_id'] });
      expect(project.value['project']).toMatchObject({
        project_name: 'Named',
        agents: [agent['agent_id']],
        tasks: { backlog: 0 },
      });
      await office.admin('unassign_agent', { project_id: made['project_id'], agent_id: agent['agent_id'] });
      const again = await world.call(
        'unassign_agent',
        { project_id: made['project_id'], agent_id: agent['agent_id'] },
        office.person,
      );
      expect(again.value['code']).toBe('NOT_ASSIGNED');
      expect((await world.call('get_project', { project_id: 'prj_no' })).value['code']).toBe('PROJECT_NOT_FOUND');
      const refused = await world.call('create_task', { project_id: made['project_id'] }, office.person);
      expect(refused.value).toMatchObject({ success: false, code: 'VALIDATION_ERROR' });
    });

    clause(requires('work.admin.person-only'), async ({ world }) => {
      const client = await world.client();
      const { tools } = await client.listTools();
      expect(tools.map((one) => one.name)).not.toContain('create_agent');
      await expect(world.call('create_project', { name: 'x', working_directory: '/' }, client)).rejects.toThrow();
    });

    clause(requires('work.admin.revoke'), async ({ world, office }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const works = async (token: string) => !(await world.call('get_my_task', { session_token: token })).isError;
      let token = await office.login(agent, project);
      const { passkey } = await office.admin('rotate_passkey', { agent_id: agent.id });
      expect(await works(token)).toBe(false);
      const client = await world.client();
      expect(await office.login(agent, project, client)).toBeUndefined();
      token = await office.login({ id: agent.id, passkey: passkey as string }, project);
      expect(await works(token)).toBe(true);
      await office.admin('set_agent_status', { agent_id: agent.id, status: 'inactive' });
      expect(await works(token)).toBe(false);
      await office.admin('set_agent_status', { agent_id: agent.id, status: 'active' });
      token = await office.login({ id: agent.id, passkey: passkey as string }, project);
      await office.admin('unassign_agent', { agent_id: agent.id, project_id: project });
      expect(await works(token)).toBe(false);
    });

    clause(requires('work.paging'), async ({ world, office }) => {
      const project = await office.project('paged');
      await office.project('another');
      for (const title of ['a', 'b', 'c']) await office.task(project, title, 'todo');
      const walk = async (tool: string, input: object, field: string) => {
        const found: any[] = [];
        for (let cursor: string | undefined; ;) {
          const { value } = await world.call(tool, { ...input, limit: 1, ...(cursor !== undefined && { cursor }) });
          expect(value[field].length).toBeLessThanOrEqual(1);
          found.push(...value[field]);
          cursor = value['next_cursor'] as string | undefined;
          if (cursor === undefined) return found;
        }
      };
      const titles = (await walk('list_tasks', { project_id: project }, 'tasks')).map((one) => one.title);
      expect(titles).toEqual(['a', 'b', 'c']);
      expect(await walk('list_tasks', { project_id: project, status: 'done' }, 'tasks')).toEqual([]);
      const projects = (await walk('list_projects', {}, 'projects')).map((one) => one.project_id);
      expect(projects).toContain(project);
      expect((await walk('list_active_projects_with_agents', {}, 'projects')).map((one) => one.project_id)).toContain(
        project,
      );
      expect(new Set(projects).size).toBe(projects.length);
      expect((await world.call('list_tasks', { project_id: 'prj_no' })).value['code']).toBe('PROJECT_NOT_FOUND');
    });

    clause(requires('work.list_agents'), async ({ world, office }) => {
      const listed = await office.agent('listed');
      const later = await office.agent('later');
      const { value } = await world.call('list_agents', {});
      expect(value['profiles']).toContainEqual(expect.objectContaining({ agent_id: listed.id, agent_name: 'listed' }));
      expect(value).toMatchObject({ agents: [], total: 0 });
      const found: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = (await world.call('list_agents', { limit: 1, ...(cursor !== undefined && { cursor }) })).value;
        expect(page['profiles'].length).toBeLessThanOrEqual(1);
        expect(page['nextCursor']).toBeUndefined();
        found.push(...page['profiles'].map((one: { agent_id: string }) => one.agent_id));
        cursor = page['next_cursor'] as string | undefined;
        if (cursor === undefined) break;
      }
      expect(found).toEqual(value['profiles'].map((one: { agent_id: string }) => one.agent_id));
      expect(found.slice(-2)).toEqual([listed.id, later.id]);
    });
  });
});
