import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { requires } from './requirements.ts';
import { type World, inOneWorld } from './world.ts';
import { workStory } from './work-world.ts';

const verified = join(import.meta.dirname, '../fixtures/processes/verified.yaml');

describe('sessions in detail', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    workStory(test, 'sessions', (clause) => {
      clause(requires('work.authenticate.lockout'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const attacker = await world.client();
        const refused = 'Invalid agent_id or passkey';
        for (const agent_id of [agent.id, 'agt_unknown']) {
          for (let turn = 0; turn < 5; turn++) {
            const { value } = await world.call(
              'authenticate',
              { agent_id, passkey: 'wrong', project_id: project },
              attacker,
            );
            expect(value['error']).toBe(refused);
          }
          const input = { agent_id, passkey: agent.passkey, project_id: project };
          expect((await world.call('authenticate', input, attacker)).value['error']).toBe(refused);
        }
        // Another connection is not locked out by it.
        expect(await office.login(agent, project)).toMatch(/^sess_/);
      });

      clause(requires('work.authenticate.environment'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const input = { agent_id: agent.id, project_id: project };
        const own = await world.client({
          env: { AGENT_ID: agent.id, PROJECT_ID: project, AGENT_PASSKEY: agent.passkey },
        });
        expect((await world.call('authenticate', input, own)).value['success']).toBe(true);
        const other = await world.client({
          env: { AGENT_ID: 'agt_other', PROJECT_ID: project, AGENT_PASSKEY: agent.passkey },
        });
        expect((await world.call('authenticate', input, other)).value['code']).toBe('INVALID_CREDENTIALS');
      });

      clause(requires('work.session.expiry'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
        // It is opened for an hour, and two hours later somebody else looks.
        const preload = join(import.meta.dirname, '../fixtures/preload/clock-ahead.cjs');
        const later = await world.client({
          env: { NODE_OPTIONS: `--require=${preload}`, CLOCK_AHEAD_SECONDS: '7200' },
        });
        const session_token = await office.login(agent, project);
        await world.call('get_my_task', { session_token });
        const should = async (client?: typeof later) =>
          (await world.call('should_start', { agent_id: agent.id, project_id: project }, client)).value[
            'should_start'
          ] as boolean;
        expect(await should()).toBe(false);
        expect((await office.read(task))['claimed_by']).toBe(agent.id);
        expect(await should(later)).toBe(true);
        expect((await world.call('get_my_task', { session_token }, later)).value['error']).toBe(
          'Invalid or expired session_token',
        );
        expect((await world.call('get_task', { task_id: task }, later)).value['task'].claimed_by).toBeNull();
        const lost = await world.call('list_execution_logs', { task_id: task }, later);
        expect(lost.value['logs']).toMatchObject([{ status: 'error', completedAt: expect.any(String) }]);
        expect(await office.login(agent, project, later)).toMatch(/^sess_/);
        const settled = await world.call('list_execution_logs', { task_id: task }, later);
        expect(settled.value['logs']).toEqual(lost.value['logs']);
      });

      clause('a session that is used in its second half lives on', async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        // It was opened for ten minutes; whoever uses it now gives an hour.
        const brief = await world.client({ env: { SEKISHO_WORK_SESSION_SECONDS: '600' } });
        const session_token = await office.login(agent, project, brief);
        const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
        const claimedUntil = async () => Date.parse((await office.read(task))['claimed_until'] as string);
        const rows = async () => (await world.cli(['journal', 'list', '--limit', '500', '--json'])).json['entries'];
        await world.call('get_my_task', { session_token }, brief);
        const brieflyUntil = await claimedUntil();
        await world.call('get_my_task', { session_token }, brief);
        expect(await claimedUntil()).toBe(brieflyUntil);
        const before = await rows();
        await world.call('get_my_task', { session_token });
        // An hour instead of what was left of ten minutes; a lease is not in the journal.
        expect((await claimedUntil()) - brieflyUntil).toBeGreaterThanOrEqual(3_000_000);
        expect(await rows()).toEqual(before);
      });

      clause(requires('work.secrets'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const token = await office.login(agent, project);
        const { DatabaseSync } = await import('@photostructure/sqlite');
        const db = new DatabaseSync(world.db);
        const tables = db.prepare(`select name from sqlite_schema where type = 'table'`).all() as { name: string }[];
        const everything = JSON.stringify(tables.map(({ name }) => db.prepare(`select * from "${name}"`).all()));
        db.close();
        expect(everything).toContain(agent.id);
        expect(everything).toContain('scrypt$');
        expect(everything).not.toContain(agent.passkey);
        expect(everything).not.toContain(token);
      });

      clause(requires('work.lang'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const japanese = await world.client({ args: ['--lang', 'ja'] });
        const call = (tool: string, input: object) => world.call(tool, input, japanese);
        const opened = await call('authenticate', { agent_id: agent.id, passkey: agent.passkey, project_id: project });
        expect(opened.value['instruction']).toBe('get_my_task を呼び出してタスク詳細を取得してください');
        const session_token = opened.value['session_token'] as string;
        expect((await call('get_my_task', { session_token })).value['instruction']).toBe(
          '現在割り当てられたタスクはありません',
        );
        await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
        expect((await call('get_my_task', { session_token })).value['instruction']).toBe(
          'タスクを完了したら report_completed を呼び出してください',
        );
        expect((await call('report_completed', { session_token, result: 'success' })).value['instruction']).toBe(
          'タスクが完了しました。セッションを終了します。',
        );
        expect((await call('get_my_task', { session_token })).value['error']).toBe('Invalid or expired session_token');
        expect((await call('get_task', { task_id: 'tsk_no' })).value['error']).toContain('存在しません');
      });

      clause(requires('work.abolished'), async ({ office }) => {
        const client = office.person;
        const names = (await client.listTools()).tools.map((one) => one.name);
        for (const name of ['get_my_profile', 'get_my_tasks', 'start_session', 'end_session', 'get_my_sessions'])
          expect(names).not.toContain(name);
        const prompts = (await client.listPrompts()).prompts.map((one) => one.name);
        for (const name of ['session_start', 'session_end']) expect(prompts).not.toContain(name);
        await expect(client.readResource({ uri: 'session://current' })).rejects.toThrow('There is no resource');
      });
    });
  });
});

describe('who acts', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    const journal = async (world: World, subject: string) =>
      (await world.cli(['journal', 'list', '--subject', subject, '--json'])).json['entries'] as Record<string, any>[];

    workStory(test, 'who acts', (clause) => {
      clause(requires('work.identity'), async ({ world, office }) => {
        const project = await office.project('p');
        const [a, b] = [await office.agent('a', project), await office.agent('b', project)];
        const task = await office.task(project, 't', 'in_progress', { assignee_id: a.id });
        const hand = await world.call('create_handoff', {
          task_id: task,
          from_agent_id: a.id,
          to_agent_id: b.id,
          summary: 's',
        });
        const [unproven] = await journal(world, hand.value['handoff_id'] as string);
        expect(unproven?.['actor']).toBe(`agent:${a.id} (unverified)`);
        // A session that was opened over the connection proves it.
        const client = await world.client();
        await office.login(b, project, client);
        await world.call('accept_handoff', { handoff_id: hand.value['handoff_id'], agent_id: b.id }, client);
        const accepted = (await journal(world, hand.value['handoff_id'] as string)).at(-1);
        expect(accepted).toMatchObject({ kind: 'handoff.accepted', actor: `agent:${b.id}` });
        // A server that was started with a token of an agent is that agent and nobody else.
        const token = await tokenFor(world, a.id);
        const own = await world.client({ env: { SEKISHO_TOKEN: token } });
        const forged = await world.call(
          'authenticate',
          { agent_id: b.id, passkey: b.passkey, project_id: project },
          own,
        );
        expect(forged.value).toMatchObject({ success: false, code: 'FORBIDDEN' });
        expect(
          (await world.call('accept_handoff', { handoff_id: hand.value['handoff_id'], agent_id: b.id }, own)).value[
            'code'
          ],
        ).toBe('FORBIDDEN');
        expect(await office.login(a, project, own)).toMatch(/^sess_/);
      });

      clause(requires('work.task.claim'), async ({ world, office }) => {
        const project = await office.project('p');
        const [a, b] = [await office.agent('a', project), await office.agent('b', project)];
        const task = await office.task(project, 't', 'todo');
        const clients = [await world.client(), await world.client()];
        await office.login(a, project, clients[0]);
        await office.login(b, project, clients[1]);
        const start = (client: (typeof clients)[number]) =>
          world.call('update_task_status', { task_id: task, status: 'in_progress' }, client);
        const both = await Promise.all(clients.map(start));
        expect(both.filter((one) => !one.isError)).toHaveLength(1);
        const winner = both[0]?.isError === false ? 0 : 1;
        expect(await office.read(task)).toMatchObject({
          assignee_id: [a.id, b.id][winner],
          claimed_by: [a.id, b.id][winner],
          claimed_until: expect.any(String),
        });
        const loser = clients[1 - winner]!;
        for (const [tool, input] of [
          ['update_task_status', { task_id: task, status: 'done' }],
          ['assign_task', { task_id: task, assignee_id: b.id }],
        ] as const)
          expect((await world.call(tool, input, loser)).value['code']).toBe('TASK_CLAIMED');
        const removed = await world.call('delete_task', { task_id: task }, office.person);
        expect(removed.value['code']).toBe('TASK_CLAIMED');
        const done = await world.call('update_task_status', { task_id: task, status: 'done' }, clients[winner]);
        expect(done.value['task'].status).toBe('done');
      });

      clause(requires('work.identity.required'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const task = await office.task(project, 't', 'todo', { assignee_id: agent.id });
        const strict = await world.client({ env: { SEKISHO_IDENTITY: 'required' } });
        for (const [tool, input] of [
          ['create_handoff', { task_id: task, from_agent_id: agent.id, summary: 's' }],
          ['update_task_status', { task_id: task, status: 'in_progress' }],
          ['save_context', { task_id: task, progress: 'p' }],
        ] as const) {
          const { value } = await world.call(tool, input, strict);
          expect(value).toMatchObject({ success: false, code: 'FORBIDDEN' });
        }
        await office.login(agent, project, strict);
        const moved = await world.call('update_task_status', { task_id: task, status: 'in_progress' }, strict);
        expect(moved.value['task']).toMatchObject({ status: 'in_progress', claimed_by: agent.id });
      });

      clause(requires('work.identity.command-line'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const task = await office.task(project, 't', 'todo', { assignee_id: agent.id });
        const command = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
          (await world.cli(['work', ...args, '--json'], { env: { SEKISHO_IDENTITY: 'required', ...more } })).json;
        const move = ['update-task-status', '--task-id', task, '--status'];
        expect((await command([...move, 'in_progress']))['code']).toBe('FORBIDDEN');
        const opened = await command([
          'authenticate',
          '--agent-id',
          agent.id,
          '--passkey',
          agent.passkey,
          '--project-id',
          project,
        ]);
        expect(opened['session_token']).toMatch(/^sess_/);
        expect((await command([...move, 'in_progress']))['task']).toMatchObject({ claimed_by: agent.id });
        const entries = await journal(world, task);
        expect(entries.at(-1)?.['actor']).toBe(`agent:${agent.id}`);
        // An instance of a Runner has a session of its own or none.
        const other = { AGENT_ID: 'agt_other', PROJECT_ID: project };
        expect((await command([...move, 'blocked'], other))['code']).toBe('FORBIDDEN');
        expect((await command([...move, 'blocked']))['task']).toMatchObject({ status: 'blocked' });
        await command(['logout', '--session-token', opened['session_token'] as string]);
        expect((await command([...move, 'in_progress']))['code']).toBe('FORBIDDEN');
      });
    });
  });
});

describe.each([
  ['stdio', 'sqlite'],
  ['http', 'postgres'],
] as const)('tasks with a process (%s, %s)', (surface, database) => {
  inOneWorld(surface, database, (test) => {
    test.beforeEach(({ world }) => copyFileSync(verified, join(world.project, '.sekisho/processes/verified.yaml')));

    workStory(test, 'tasks with a process', (clause) => {
      clause(requires('work.process'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const bound = { assignee_id: agent.id, process_id: 'verified' };
        const unknown = await world.call(
          'create_task',
          { project_id: project, title: 'x', process_id: 'no' },
          office.person,
        );
        expect(unknown.value['code']).toBe('PROCESS_NOT_FOUND');
        const task = await office.task(project, 'Write it', 'todo', bound);
        expect((await office.read(task))['run_id']).toBeNull();
        const client = await world.client();
        const session_token = await office.login(agent, project, client);
        const { value } = await world.call('get_my_task', { session_token }, client);
        const run = value['task'].process.run_id as string;
        expect(value['task'].process).toMatchObject({
          process_id: 'verified',
          current_state: 'working',
          prompt: 'Work and submit report.md.',
        });
        const state = await world.call('state_gate.get_state', { run_id: run });
        expect(state.value['context']).toMatchObject({ task: { task_id: task, title: 'Write it' } });
        const paths = [
          () => world.call('report_completed', { session_token, result: 'success' }, client),
          () => world.call('update_task_status', { task_id: task, status: 'done' }, client),
          () => world.call('update_task', { task_id: task, status: 'done' }, office.person),
          () => office.move(task, 'done'),
        ];
        for (const path of paths) {
          const refused = await path();
          expect(refused.value).toMatchObject({
            success: false,
            code: 'PROCESS_INCOMPLETE',
            details: {
              run_id: run,
              current_state: 'working',
              missing_guards: [expect.stringContaining('has_report')],
              possible_events: ['submit'],
            },
          });
          expect(refused.value['error']).toContain('has_report');
        }
        expect((await office.read(task))['status']).toBe('in_progress');
        const event = await world.call(
          'state_gate.emit_event',
          {
            run_id: run,
            event_name: 'submit',
            expected_revision: 0,
            idempotency_key: 'k',
            artifact_paths: [world.write('report.md', 'done')],
          },
          client,
        );
        expect(event.value['result']).toMatchObject({ is_final: true });
        const reported = await world.call('report_completed', { session_token, result: 'success' }, client);
        expect(reported.value['success']).toBe(true);
        expect((await office.read(task))['status']).toBe('done');
        const blocked = await office.task(project, 'other', 'in_progress', bound);
        expect((await office.move(blocked, 'blocked')).value['task'].status).toBe('blocked');
      });

      clause(requires('work.process.force'), async ({ world, office }) => {
        const project = await office.project('p');
        const task = await office.task(project, 't', 'in_progress', { process_id: 'verified' });
        const force = { task_id: task, status: 'done', force: true };
        const agent = await world.call('update_task_status', { ...force, reason: 'because' });
        expect(agent.value).toMatchObject({ success: false, code: 'FORBIDDEN' });
        const mute = await world.call('update_task_status', force, office.person);
        expect(mute.value['code']).toBe('PROCESS_INCOMPLETE');
        const forced = await world.call('update_task_status', { ...force, reason: 'the customer left' }, office.person);
        expect(forced.value['task'].status).toBe('done');
        const { value } = await world.call('get_task_history', { task_id: task });
        expect(value['history'].at(-1)).toMatchObject({
          data: { forced: true, reason: 'the customer left', missing: [expect.stringContaining('has_report')] },
        });
      });

      clause(requires('work.process.binds'), async ({ world, office }) => {
        const project = await office.project('p');
        const [a, b] = [await office.agent('a', project), await office.agent('b', project)];
        const task = await office.task(project, 't', 'todo', { assignee_id: a.id, process_id: 'verified' });
        const [first, second, stranger] = [await world.client(), await world.client(), await world.client()];
        const one = await office.login(a, project, first);
        const { value } = await world.call('get_my_task', { session_token: one }, first);
        const run = value['task'].process.run_id as string;
        const own = await world.call('state_gate.get_state', {}, first);
        expect(own.value['run_id']).toBe(run);
        // Its permissions bind the connection that works on it, and no other.
        const denied = await world.call('get_project', { project_id: project }, first);
        expect(denied.value).toMatchObject({ success: false, code: 'FORBIDDEN', details: { run_id: run } });
        expect((await world.call('get_project', { project_id: project }, stranger)).isError).toBe(false);
        const hand = await world.call(
          'create_handoff',
          { task_id: task, from_agent_id: a.id, to_agent_id: b.id, summary: 's' },
          first,
        );
        await world.call('logout', { session_token: one }, first);
        // It goes on after it has logged out, so it stays bound.
        expect((await world.call('get_project', { project_id: project }, first)).isError).toBe(true);
        const two = await office.login(b, project, second);
        await world.call('get_my_task', { session_token: two }, second);
        await world.call('accept_handoff', { handoff_id: hand.value['handoff_id'], agent_id: b.id }, second);
        expect((await world.call('state_gate.get_state', {}, second)).value['run_id']).toBe(run);
        expect((await office.read(task))['run_id']).toBe(run);
        if (surface === 'stdio') {
          // A hook, or a shell, of the instance is bound by its environment.
          const env = { AGENT_ID: b.id, PROJECT_ID: project };
          const shell = await world.cli(['gate', 'get-state', '--json'], { env });
          expect(shell.json['run_id']).toBe(run);
          const input = JSON.stringify({
            hook_event_name: 'PreToolUse',
            tool_name: 'mcp__sekisho__get_project',
            tool_input: {},
          });
          const hook = await world.cli(['hook', 'pre-tool-use'], { env, input });
          expect(hook.stdout).toContain('deny');
          expect((await world.cli(['hook', 'pre-tool-use'], { input })).stdout).not.toContain('deny');
        }
      });
    });
  });
});

/** A token as a host makes it for an agent's own server. */
async function tokenFor(world: World, identity: string): Promise<string> {
  const { makeToken, tokenWrite } = await import('../../src/kernel/token.ts');
  const { openStore } = await import('../../src/store/open.ts');
  const { tables } = await import('../../src/app/tables.ts');
  const store = await openStore(world.db, { tables });
  const token = makeToken();
  const at = new Date().toISOString();
  await store.commit(
    [tokenWrite(token, { role: 'agent', identity }, 'test', at, null)],
    [{ project: 'test', at, actor: 'test', subject: identity, kind: 'token.created', data: '{}' }],
  );
  await store.close();
  return token;
}
