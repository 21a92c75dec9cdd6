import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import stringWidth from 'string-width';
import { describe, expect } from 'vitest';
import { requires } from './requirements.ts';
import { atTerminal } from './terminal.ts';
import { type World, bin, inOneWorld, node, otherMachine } from './world.ts';
import { type Office, openOffice } from './work-world.ts';
import { personToken } from '../setup/person.ts';
import { databases } from '../setup/databases.ts';

type Answer = Record<string, any>;

/** Calls through a daemon of its own, all at once: one process, many requests. */
async function burst(world: World, calls: readonly { tool: string; input: object }[]): Promise<Answer[]> {
  const server = spawn(node, [bin, 'up', '--port', '0', '--json'], {
    cwd: world.project,
    env: otherMachine(world),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = await new Promise<string>((done) => createInterface({ input: server.stdout }).once('line', done));
  const { mcp } = JSON.parse(line) as { mcp: string };
  const client = new Client({ name: 'burst', version: '0' });
  const requestInit = { headers: { Authorization: `Bearer ${personToken}` } };
  const address = new URL(`${mcp}?project=${encodeURIComponent(world.project)}`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  const answers = await Promise.all(calls.map(({ tool, input }) => world.call(tool, input, client)));
  await client.close();
  const gone = new Promise((done) => server.once('exit', done));
  server.kill('SIGTERM');
  await gone;
  return answers.map((one) => one.value);
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function allTasks(office: Office, world: World, project_id: string): Promise<Answer[]> {
  return (await world.call('list_tasks', { project_id, limit: 500 }, office.person)).value['tasks'] as Answer[];
}

describe.each(databases)('many at once (%s)', (database) => {
  inOneWorld('stdio', database, (test) => {
    test(requires('work.concurrent.creates'), async ({ world }) => {
      const office = await openOffice(world);
      const project_id = await office.project('p');
      const bursts = times(4, (one) =>
        burst(
          world,
          times(25, (two) => ({ tool: 'create_task', input: { project_id, title: `${one}/${two}` } })),
        ),
      );
      const answers = (await Promise.all(bursts)).flat();
      expect(answers.filter((one) => one['success'] === true)).toHaveLength(100);
      const tasks = await allTasks(office, world, project_id);
      expect(tasks.map((one) => one['task_id']).toSorted()).toEqual(answers.map((one) => one['task_id']).toSorted());
      expect(new Set(tasks.map((one) => one['title'])).size).toBe(100);
    });

    test(requires('work.concurrent.edits'), async ({ world }) => {
      const office = await openOffice(world);
      const project = await office.project('p');
      const task = await office.task(project, 't');
      const fields = ['title', 'description', 'priority', 'labels'] as const;
      const edit = (field: (typeof fields)[number], turn: number): object =>
        ({
          title: { title: `title ${turn}` },
          description: { description: `description ${turn}` },
          priority: { priority: ['low', 'high'][turn % 2] },
          labels: { labels: [`label ${turn}`] },
        })[field];
      const answers = await Promise.all(
        fields.map((field) =>
          burst(
            world,
            times(10, (turn) => ({ tool: 'update_task', input: { task_id: task, ...edit(field, turn) } })),
          ),
        ),
      );
      expect(answers.flat().filter((one) => one['success'] !== true)).toEqual([]);
      // Nothing undid anything: every edit is one revision, and the history leads from the first value to the last.
      const last = await office.read(task);
      expect(last['revision']).toBe(41);
      const { value } = await world.call('get_task_history', { task_id: task, limit: 500 });
      for (const field of fields) {
        const steps = value['history'].flatMap((one: Answer) => one['changes'][field] ?? []) as Answer[];
        for (const [index, step] of steps.entries())
          if (index > 0) expect(step['from']).toEqual(steps[index - 1]?.['to']);
        expect(steps.at(-1)?.['to']).toEqual(last[field]);
      }
      // Who says which revision is meant is refused with the reason, all but one.
      const stale = await Promise.all(
        times(4, (one) =>
          burst(
            world,
            times(10, (two) => ({
              tool: 'update_task',
              input: { task_id: task, title: `${one}/${two}`, expected_revision: 41 },
            })),
          ),
        ),
      );
      const refused = stale.flat().filter((one) => one['success'] !== true);
      expect(refused).toHaveLength(39);
      for (const one of refused)
        expect(one).toMatchObject({ code: 'TASK_CONFLICT', details: { current_revision: 42 } });
    });

    test(requires('work.transfer'), async ({ world }) => {
      const office = await openOffice(world);
      const project = await office.project('Moving');
      const agent = await office.agent('mover', project);
      const first = await office.task(project, 'first', 'done', { labels: ['x'], acceptance: ['y'], priority: 'high' });
      const second = await office.task(project, 'second', 'todo', {
        depends_on: [first],
        parent_id: first,
        assignee_id: agent.id,
      });
      const out = await world.cli(['work', 'export', '--project-id', project]);
      const lines = out.stdout.trim().split('\n');
      expect(lines.map((one) => (JSON.parse(one) as Answer)['type'])).toEqual(['project', 'task', 'task']);
      const same = await world.person(['work', 'import', '-', '--json'], { input: out.stdout });
      expect(same.json).toEqual({ success: true, projects: 0, tasks: 0, skipped: 3 });
      // Under other ids, the tasks before the ones that they depend on.
      const renamed = [lines[0]!, lines[2]!, lines[1]!]
        .join('\n')
        .replaceAll(project, 'prj_copy')
        .replaceAll(first, 'tsk_a')
        .replaceAll(second, 'tsk_b');
      expect((await world.cli(['work', 'import', '-', '--json'], { input: renamed })).code).not.toBe(0);
      const copied = await world.person(['work', 'import', '-', '--json'], { input: renamed });
      expect(copied.json).toEqual({ success: true, projects: 1, tasks: 2, skipped: 0 });
      expect(await office.read('tsk_b')).toMatchObject({
        project_id: 'prj_copy',
        status: 'todo',
        depends_on: ['tsk_a'],
        parent_id: 'tsk_a',
        assignee_id: agent.id,
      });
      expect(await office.read('tsk_a')).toMatchObject({
        status: 'done',
        labels: ['x'],
        acceptance: ['y'],
        priority: 'high',
      });
      const broken = `${renamed.replaceAll('tsk_', 'tsk_new_').replaceAll('prj_copy', 'prj_new')}\n{"type":"task"}\n`;
      const refused = await world.person(['work', 'import', '-'], { input: broken });
      expect(refused.stderr).toContain('Line 4');
      expect((await world.call('get_project', { project_id: 'prj_new' })).value['code']).toBe('PROJECT_NOT_FOUND');
    });

    test(requires('work.numbers'), async ({ world }) => {
      const office = await openOffice(world);
      const web = await office.project('web');
      const agent = await office.agent('Ann', web);
      const first = await office.task(web, 'Design', 'todo', { assignee_id: agent.id });
      const second = await office.task(web, 'Build', 'todo', { depends_on: ['1'] });
      expect(await office.read('2')).toMatchObject({ task_id: second, number: 2, depends_on: [first] });
      const get = async (given: string) =>
        (await world.cli(['work', 'get-task', '--task-id', given, '--json'])).json as Answer;
      for (const given of ['1', '#1', 'web#1', `${web}#1`, first])
        expect((await get(given))['task'].task_id).toBe(first);
      const log = await world.cli(['log', '1', '--json']);
      expect(new Set((log.json['entries'] as Answer[]).map((one) => one['subject']))).toEqual(new Set([first]));
      for (const view of [['work', 'board'], ['work', 'ready'], ['status']]) {
        const { stdout } = await world.cli(view);
        expect(stdout).toMatch(/#1 +Design/);
        expect(stdout).not.toContain(first.slice(0, 17));
      }
      expect((await world.cli(['work', 'board'])).stdout).toMatch(/#1 Design +Ann/);
      // A second project in the same folder: the plain number is no longer clear.
      const api = await office.project('api');
      const other = await office.task(api, 'Draft', 'todo');
      const refused = await get('1');
      expect(refused).toMatchObject({ code: 'TASK_AMBIGUOUS' });
      expect(refused['message']).toContain('web#1, api#1');
      expect((await get('api#1'))['task'].task_id).toBe(other);
      expect((await world.cli(['work', 'ready'])).stdout).toContain(other);
      const moved = await world.person([
        'admin',
        'move-tasks',
        '--task-ids',
        'web#1',
        '--status',
        'in_progress',
        '--json',
      ]);
      expect(moved.json['tasks']).toMatchObject([{ task_id: first, status: 'in_progress', number: 1 }]);
    });

    test(requires('work.transfer.strict'), async ({ world }) => {
      const office = await openOffice(world);
      const project_id = await office.project('p');
      const task = (task_id: string, more: object = {}) =>
        JSON.stringify({ type: 'task', task_id, project_id, title: 't', ...more });
      const bring = (...lines: readonly string[]) =>
        world.person(['work', 'import', '-', '--json'], { input: lines.join('\n') });
      // test/work/import.test.ts has every other reason.
      const refused = await bring(task('a'), task('b', { assignee_id: 'agt_no' }));
      expect(refused.code).toBe(1);
      expect(refused.json['message']).toMatch(/Line 2 .*agt_no/);
      expect(await allTasks(office, world, project_id)).toEqual([]);
      const run = await bring(task('r', { status: 'in_progress', process_id: 'explore-plan-implement-verify' }));
      expect(run.json).toMatchObject({ success: true, tasks: 1 });
      expect(await office.read('r')).toMatchObject({ status: 'in_progress', run_id: expect.stringMatching(/^run-/) });
    });

    test(requires('work.transfer.lossless'), async ({ world }) => {
      const office = await openOffice(world);
      const agent = await office.agent('mover');
      const made = await office.admin('create_project', {
        name: 'Moving',
        working_directory: world.project,
        auto_start: true,
        id: 'prj_moving',
      });
      const project = made['project_id'] as string;
      await office.project('Second');
      await office.project('Third');
      await office.admin('assign_agent', { project_id: project, agent_id: agent.id });
      const first = await office.task(project, 'first', 'in_progress', { assignee_id: agent.id, labels: ['x'] });
      const session_token = await office.login(agent, project);
      await world.call('get_my_task', { session_token });
      await world.call('report_completed', { session_token, result: 'success', summary: 'all of it' });
      await office.task(project, 'blocked', 'blocked', { assignee_id: agent.id, depends_on: [first] });
      await office.task(project, 'given up', 'cancelled', { parent_id: first });
      for (let turn = 0; turn < 20; turn++) await office.task(project, `t${turn}`);
      const out = await world.cli(['work', 'export']);
      const renamed = out.stdout.replaceAll(/"(tsk_|prj_)/g, '"copy_$1');
      const brought = await world.person(['work', 'import', '-', '--json'], { input: renamed });
      expect(brought.json).toEqual({ success: true, projects: 3, tasks: 23, skipped: 0 });
      const again = await world.cli(['work', 'export']);
      const copies = again.stdout.split('\n').filter((line) => line.includes('"copy_'));
      expect(copies).toEqual(renamed.trim().split('\n'));
    });
  });
});

inOneWorld('http', 'postgres', (test) => {
  test(requires('work.views'), async ({ world }) => {
    const office = await openOffice(world);
    const project = await office.project('関所の手形');
    const agent = await office.agent('a', project);
    const title = '関所を通る荷物の手数料をすべて計算し直して一覧にまとめ、旅人に知らせる仕組みを作る';
    const first = await office.task(project, title, 'todo', { assignee_id: agent.id, priority: 'high' });
    const then = await office.task(project, 'then', 'todo', { depends_on: [first] });
    const last = await office.task(project, 'last', 'backlog', { depends_on: [first, then] });
    const show = (name: string, ...more: readonly string[]) => world.cli(['work', name, ...more]);
    for (const name of ['board', 'ready', 'graph']) {
      const { code, text } = await atTerminal(world, [], { shell: (own) => `stty cols 80; ${own} work ${name}` });
      expect(code).toBe(0);
      expect(text).toContain('関所を通る荷物');
      for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(80);
      // A pipe has no width.
      expect((await show(name)).stdout).toContain(title);
    }
    expect((await show('ready')).stdout).toContain('#1 関所を通る荷物');
    expect((await show('ready')).stdout).not.toContain(first);
    expect((await show('ready')).stdout).not.toContain('then');
    const ready = (await show('ready', '--json')).json;
    expect(ready['tasks']).toMatchObject([{ task_id: first, title }]);
    const graph = (await show('graph', '--project-id', project, '--json')).json;
    expect(graph['tasks']).toContainEqual(
      expect.objectContaining({ task_id: last, depends_on: [first, then].toSorted(), ready: false }),
    );
    const board = (await show('board', '--json')).json;
    expect(board['boards'][0].tasks.todo.map((one: Answer) => one['task_id'])).toEqual([first, then]);
    expect((await show('board', '--project-id', 'prj_no')).code).toBe(1);
  });

  test(requires('work.clock'), async ({ world }) => {
    const office = await openOffice(world);
    const project = await office.project('p');
    const agent = await office.agent('a', project);
    await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
    // As if each came from a machine of its own.
    const command = async (aheadSeconds: number, ...args: readonly string[]) =>
      (
        await world.cli(['work', ...args, '--agent-id', agent.id, '--project-id', project, '--json'], {
          env: {
            NODE_OPTIONS: `--require=${join(import.meta.dirname, '../fixtures/preload/clock-ahead.cjs')}`,
            CLOCK_AHEAD_SECONDS: String(aheadSeconds),
            SEKISHO_WORK_SESSION_SECONDS: '120',
          },
        })
      ).json;
    const session = await command(-7200, 'authenticate', '--passkey', agent.passkey);
    expect(session['session_token']).toMatch(/^sess_/);
    expect(await command(130, 'should-start')).toEqual({ should_start: false });
    expect(await command(0, 'should-start')).toEqual({ should_start: false });
    expect((await command(130, 'authenticate', '--passkey', agent.passkey))['code']).toBe('ALREADY_RUNNING');
    const { value } = await world.call('list_tasks', { project_id: project });
    expect(value['tasks'][0].claimed_by).toBeNull();
    const mine = await world.call('get_my_task', { session_token: session['session_token'] });
    expect(mine.value['has_task']).toBe(true);
  });
});
