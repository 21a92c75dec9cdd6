import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { freshDatabase } from '../setup/database.ts';
import { databases } from '../setup/databases.ts';
import { personToken } from '../setup/person.ts';
import { row } from '../setup/security.ts';
import { until } from '../setup/until.ts';
import { furnish } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

type Answer = Record<string, any>;

/** Everything by commands: no process stays connected. */
function deskOf(world: World) {
  const answered = async (outcome: ReturnType<World['cli']>): Promise<Answer> => {
    const { code, json, stdout, stderr } = await outcome;
    if (code !== 0) throw new Error(`exit code ${code}: ${stdout}${stderr}`);
    return json;
  };
  const file = join(dirname(world.project), 'store.backup');
  return {
    file,
    person: (...args: readonly string[]) => answered(world.person([...args, '--json'])),
    agent: (...args: readonly string[]) => answered(world.cli([...args, '--json'])),
    run: (goal: string) => answered(world.cli(['start', 'bug-fix', goal, '--json'])),
    runs: async () => (await answered(world.cli(['gate', 'list-runs', '--json'])))['runs'] as Answer[],
    login: (agent: Answer, project: string) =>
      world.cli([
        'work',
        'authenticate',
        '--agent-id',
        agent['agent_id'],
        '--passkey',
        agent['passkey'],
        '--project-id',
        project,
        '--json',
      ]),
  };
}

describe.each(databases)('backup and restore (%s)', (database) => {
  inOneWorld('stdio', database, (test) => {
    test(`${requires('backup.whole')}; ${requires('restore.history')}; ${requires('restore.undo')}`, async ({
      world,
    }) => {
      const desk = deskOf(world);
      const { run_id: kept } = await desk.run('kept');
      const made = await desk.person('backup', desk.file);
      expect(made).toMatchObject({ file: desk.file, faults: 0, rows: expect.any(Number) });
      expect(statSync(desk.file).mode & 0o777).toBe(0o600);
      expect((await world.person(['backup', desk.file])).stderr).toContain('--force');
      const { run_id: lost } = await desk.run('lost');
      const before = await desk.agent('journal', 'verify');
      const done = await desk.person('restore', desk.file, '--yes');
      expect(done).toMatchObject({
        backup: { entry: made['head'].seq },
        lost: { entries: 1, runs: 1, tasks: 0 },
        tables: expect.arrayContaining([{ table: 'run', now: 2, backup: 1 }]),
        seq: made['head'].seq + 1,
      });
      expect((await desk.runs()).map((one) => one['run_id'])).toEqual([kept]);
      const verified = await desk.agent('journal', 'verify', '--head', made['head'].link);
      expect(verified).toMatchObject({ ok: true, head_matches: true, entries: made['head'].seq + 1 });
      const { entries } = await desk.person('journal', 'list');
      expect(entries.at(-1)).toMatchObject({
        kind: 'store.restored',
        actor: expect.stringContaining('human'),
        data: { backup: { seq: made['head'].seq, link: made['head'].link }, replaced: { link: before['head'] } },
      });
      // And all of it back again.
      await desk.person('restore', done['undo'], '--yes');
      expect((await desk.runs()).map((one) => one['run_id']).toSorted()).toEqual([kept, lost].toSorted());
    });

    test(`${row('state.restore')} ${requires('restore.revoked')}`, async ({ world }) => {
      const desk = deskOf(world);
      const { project_id: project } = await desk.person(
        'admin',
        'create-project',
        '--name',
        'P',
        '--working-directory',
        world.project,
      );
      const make = async (name: string) => {
        const agent = await desk.person(
          'admin',
          'create-agent',
          '--name',
          name,
          '--ai-type',
          'scripted',
          '--system-prompt',
          name,
        );
        await desk.person('admin', 'assign-agent', '--project-id', project, '--agent-id', agent['agent_id']);
        return agent;
      };
      const [rotated, resting, removed, same] = [
        await make('rotated'),
        await make('resting'),
        await make('removed'),
        await make('same'),
      ];
      const session = (await desk.login(same, project)).json['session_token'] as string;
      const { run_id } = await desk.run('evidence');
      world.write('report.md', 'a secret');
      await world.cli(['submit', 'submit_reproduction', 'report.md', '--run-id', run_id, '--json']);
      const history = await desk.agent('gate', 'get-history', '--run-id', run_id);
      const digest = /"digest":"([0-9a-f]{64})"/.exec(JSON.stringify(history))?.[1] ?? '';
      await desk.person('backup', desk.file);
      const { passkey } = await desk.person('admin', 'rotate-passkey', '--agent-id', rotated['agent_id']);
      await desk.person('admin', 'set-agent-status', '--agent-id', resting['agent_id'], '--status', 'suspended');
      await desk.person('admin', 'unassign-agent', '--agent-id', removed['agent_id'], '--project-id', project);
      await desk.person('evidence', 'forget', digest);
      await desk.person('restore', desk.file, '--yes');
      expect((await desk.login(rotated, project)).json).toMatchObject({ code: 'INVALID_CREDENTIALS' });
      expect((await desk.login({ ...rotated, passkey }, project)).json).toMatchObject({ success: true });
      expect((await desk.login(resting, project)).json).toMatchObject({ code: 'INVALID_CREDENTIALS' });
      expect((await desk.login(removed, project)).json).toMatchObject({ code: 'INVALID_CREDENTIALS' });
      const old = await world.cli(['work', 'get-my-task', '--session-token', session, '--json']);
      expect(old.json).toMatchObject({ code: 'INVALID_SESSION' });
      // Its passkey was not changed, and its session frees its place.
      expect((await desk.login(same, project)).json).toMatchObject({ success: true });
      const shown = await desk.person('admin', 'read-evidence', '--run-id', run_id, '--path', 'report.md');
      expect(shown).toMatchObject({ digest, is_kept: false });
    });

    test(requires('restore.paused'), async ({ world }) => {
      furnish(world, 'runner: { commands: { scripted: [cat] } }\n');
      const desk = deskOf(world);
      const { project_id: project } = await desk.person(
        'admin',
        'create-project',
        '--name',
        'P',
        '--working-directory',
        world.project,
      );
      const agent = await desk.person(
        'admin',
        'create-agent',
        '--name',
        'Ann',
        '--ai-type',
        'scripted',
        '--system-prompt',
        'Work.',
      );
      await desk.person('admin', 'assign-agent', '--project-id', project, '--agent-id', agent['agent_id']);
      const { task_id: task } = await desk.person(
        'admin',
        'create-task',
        '--project-id',
        project,
        '--title',
        'T',
        '--assignee-id',
        agent['agent_id'],
      );
      for (const status of ['todo', 'in_progress'])
        await desk.person('work', 'update-task-status', '--task-id', task, '--status', status);
      const { groupId } = await desk.agent('fleet', 'create-group', '--description', 'G');
      const start = () =>
        world.cli([
          'fleet',
          'run-agents',
          '--group-id',
          groupId,
          '--agents',
          '[{"role":"forever","prompt":"x"}]',
          '--json',
        ]);
      const { agentId } = (await start()).json['agents'][0];
      const state = () => desk.agent('fleet', 'get-agent-status', '--agent-id', agentId);
      await until('it runs', state, (one) => one['status'] === 'running');
      await desk.person('backup', desk.file);
      await desk.agent('fleet', 'cancel-agents', '--agent-ids', agentId);
      await until('its host has ended', state, (one) => one['status'] === 'cancelled');
      await desk.person('restore', desk.file, '--yes');
      expect(await state()).toMatchObject({
        status: 'cancelled',
        result: { errorMessage: expect.stringContaining('backup') },
      });

      expect((await start()).json).toMatchObject({
        code: 'AGENTS_PAUSED',
        message: expect.stringContaining('sekisho resume'),
      });
      const pair = ['--agent-id', agent['agent_id'], '--project-id', project];
      expect(await desk.agent('work', 'should-start', ...pair)).toEqual({
        should_start: false,
        reason: expect.stringContaining('sekisho resume'),
      });
      expect(await desk.agent('runner', '--once')).toMatchObject({
        started: [],
        waiting: [{ for: 'person', reason: expect.stringContaining('sekisho resume') }],
      });
      expect((await world.cli(['status', '--json'])).json).toMatchObject({
        paused: expect.stringContaining('backup'),
        next: 'sekisho resume',
      });
      expect((await desk.person('admin', 'list-open-matters'))['matters']).toContainEqual(
        expect.objectContaining({ subject: 'sekisho resume' }),
      );

      expect((await world.cli(['resume', '--json'])).json).toMatchObject({ code: 'FORBIDDEN' });
      expect((await start()).json).toMatchObject({ code: 'AGENTS_PAUSED' });
      const told = await atTerminal(world, ['resume', '--lang', 'ja'], { yes: true });
      expect(told.text).toContain('バックアップ');
      expect(await desk.agent('work', 'should-start', ...pair)).toMatchObject({ should_start: true });
      expect((await start()).json).toMatchObject({ total: 1 });
      expect(await desk.person('resume')).toEqual({ resumed: false, paused_at: null });
      const { entries } = await desk.person('journal', 'list');
      expect(entries.map((one: Answer) => one['kind'])).toContain('store.resumed');
    });

    test(`${row('state.restore')} ${requires('backup.person')}`, async ({ world }) => {
      const desk = deskOf(world);
      await desk.run('one');
      const inside = { env: { CLAUDECODE: '1' } };
      for (const outcome of [
        await world.cli(['backup', desk.file]),
        await world.person(['backup', desk.file], inside),
      ]) {
        expect(outcome.code).toBe(1);
        expect(outcome.stderr).toMatch(/Only a person|started by an agent/);
      }
      expect(existsSync(desk.file)).toBe(false);
      await desk.person('backup', desk.file);
      await desk.run('two');
      expect((await world.cli(['restore', desk.file, '--yes'])).stderr).toContain('Only a person');
      expect((await world.person(['restore', desk.file, '--yes'], inside)).stderr).toMatch(
        /Only a person|started by an agent/,
      );
      // Nobody to ask: the differences, and how to go on.
      const unasked = await world.person(['restore', desk.file, '--json']);
      expect(unasked).toMatchObject({ code: 1, json: { details: { lost: { entries: 1 } } } });
      expect(unasked.json['message']).toContain('--yes');
      expect(await desk.runs()).toHaveLength(2);
      const question = 'Replace everything in the store with this backup? [y/N]';
      const no = await atTerminal(world, ['restore', desk.file, '--yes'], { answers: { [question]: 'n' } });
      expect(no.code).toBe(1);
      expect(no.text).toMatch(/^ {2}entries +1\r?$/m);
      expect(await desk.runs()).toHaveLength(2);
      const yes = await atTerminal(world, ['restore', desk.file], { answers: { [question]: 'y' } });
      expect(yes.code, yes.text).toBe(0);
      expect(yes.text).toContain('To undo it: sekisho restore');
      expect(await desk.runs()).toHaveLength(1);
    });

    test(`${row('state.restore', 'people.admitted')} a restore does not change whose people count`, async ({
      world,
    }) => {
      const desk = deskOf(world);
      const token = 'z'.repeat(40);
      const of = (name: string) => ({
        env: { XDG_DATA_HOME: join(world.project, '..', name), SEKISHO_PERSON_TOKEN: token, SEKISHO_TOKEN: token },
      });
      const keyOf = async (name: string) =>
        /admin admit ([0-9a-f]{20})/.exec((await world.cli(['admin', 'admit'], of(name))).stderr)?.[1] ?? '';
      await desk.run('one');
      const { own } = await desk.person('admin', 'admit');
      const [gone, stays] = [await keyOf('gone'), await keyOf('stays')];
      await desk.person('admin', 'admit', gone);
      expect((await world.cli(['admin', 'admit', '--json'], of('gone'))).json['admitted']).toEqual([own, gone]);
      await desk.person('backup', desk.file);
      await desk.person('admin', 'admit', stays);
      await desk.person('admin', 'admit', gone, '--remove');
      const refused = await world.cli(['restore', desk.file, '--yes'], of('gone'));
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`sekisho admin admit ${gone}`)]);
      await desk.person('restore', desk.file, '--yes');
      expect((await desk.person('admin', 'admit'))['admitted']).toEqual([own, stays]);
      expect(await keyOf('gone')).toBe(gone);
      expect((await desk.agent('journal', 'verify'))['ok']).toBe(true);
    });

    test(requires('restore.connected'), async ({ world }) => {
      const desk = deskOf(world);
      await desk.run('one');
      await desk.person('backup', desk.file);
      const client = await world.client();
      await client.callTool({ name: 'state_gate.list_runs', arguments: {} });
      const refused = await until(
        'the server is known to others',
        () => world.person(['restore', desk.file, '--yes']),
        ({ code }) => code === 3,
      );
      expect(refused.stderr).toMatch(/sekisho mcp \(pid \d+, /);
      expect(refused.stderr).toContain('sekisho down');
      await client.close();
      await until(
        'it has ended',
        () => world.person(['restore', desk.file, '--yes', '--json']),
        ({ code }) => code === 0,
      );
    });

    test(requires('restore.refused'), async ({ world }) => {
      const desk = deskOf(world);
      await desk.run('one');
      await desk.person('backup', desk.file);
      await desk.run('two');
      const whole = readFileSync(desk.file);
      for (const bytes of [whole.subarray(0, whole.length - 9), Buffer.from('SQLite format 3\0'), Buffer.alloc(0)]) {
        writeFileSync(desk.file, bytes);
        const refused = await world.person(['restore', desk.file, '--yes']);
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain('BACKUP_UNUSABLE');
        expect(refused.stderr).toContain('Nothing was changed');
      }
      expect((await world.person(['restore', join(world.project, 'nowhere'), '--yes'])).stderr).toContain('nowhere');
      expect(await desk.runs()).toHaveLength(2);
      expect((await desk.agent('journal', 'verify'))['ok']).toBe(true);
    });

    test(requires('restore.elsewhere'), async ({ world }) => {
      const desk = deskOf(world);
      await desk.run('one');
      const { head } = await desk.person('backup', desk.file);
      const other = database === 'sqlite' ? await freshDatabase() : undefined;
      if (other !== undefined) onTestFinished(() => other.drop());
      const db = other?.url ?? join(dirname(world.project), 'other.db');
      const there = { env: { SEKISHO_DB: db } };
      const done = await world.person(['restore', desk.file, '--yes', '--json'], there);
      expect(done.json, done.stderr).toMatchObject({ undo: null, store: { entry: 0 }, lost: null });
      const verified = await world.cli(['journal', 'verify', '--head', head.link, '--json'], there);
      expect(verified.json).toMatchObject({ ok: true, head_matches: true });
      const { json } = await world.cli(['gate', 'list-runs', '--json'], there);
      expect(json['runs']).toHaveLength(1);
      // And what happened there comes back here.
      await world.cli(['start', 'bug-fix', 'two', '--json'], there);
      rmSync(desk.file);
      expect((await world.person(['backup', desk.file, '--json'], there)).code).toBe(0);
      await desk.person('restore', desk.file, '--yes');
      expect(await desk.runs()).toHaveLength(2);
    });
  });
});

inOneWorld('stdio', 'sqlite', (test) => {
  test(requires('restore.lost'), async ({ world }) => {
    const desk = deskOf(world);
    await desk.run('one');
    await desk.person('backup', desk.file);
    for (const end of ['', '-wal', '-shm']) rmSync(`${world.db}${end}`, { force: true });
    expect((await world.cli(['gate', 'list-runs', '--json'])).json).toMatchObject({ code: 'STORE_REMOVED' });
    const unasked = await world.person(['restore', desk.file, '--json']);
    expect(unasked.code).toBe(1);
    // Nothing was made for the question: an empty store would let everybody through.
    expect(existsSync(world.db)).toBe(false);
    const done = await world.person(['restore', desk.file, '--yes', '--json']);
    expect(done.code, done.stderr).toBe(0);
    expect(await desk.runs()).toHaveLength(1);
    expect(existsSync(`${world.db}.restoring`)).toBe(false);
    expect(
      (await world.person(['restore', desk.file, '--yes', '--json'], { env: { SEKISHO_TOKEN: personToken } })).code,
    ).toBe(0);
  });
});
