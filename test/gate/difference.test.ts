import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { approve } from '../../src/gate/operation/approve.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { describeRun } from '../../src/gate/operation/describe-run.ts';
import { getHistory } from '../../src/gate/operation/get-history.ts';
import { getState } from '../../src/gate/operation/get-state.ts';
import { readEvidence } from '../../src/gate/operation/read-evidence.ts';
import { reject } from '../../src/gate/operation/reject.ts';
import { differencePath } from '../../src/gate/evidence/difference.ts';
import { emit } from '../../src/gate/run/emit.ts';
import type { Context } from '../../src/kernel/context.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';
import { canMap, mapFile } from '../setup/mapping.ts';
import { row } from '../setup/security.ts';

// Tests read arbitrary fields of answers; `unknown` would only add casts.
type Answer = Record<string, any>;

const process_ = {
  version: '1',
  initial_state: 'work',
  states: [{ name: 'work' }, { name: 'review' }, { name: 'done', is_final: true }],
  events: [
    { name: 'submit' },
    { name: 'finish' },
    { name: 'approve', allowed_roles: ['reviewer'] },
    { name: 'reject', allowed_roles: ['reviewer'] },
  ],
  transitions: [
    { from: 'work', event: 'submit', to: 'review', guards: ['changed'] },
    { from: 'review', event: 'approve', to: 'review' },
    { from: 'review', event: 'finish', to: 'done', guards: ['approved'] },
    { from: 'review', event: 'reject', to: 'work' },
  ],
  guards: {
    changed: { type: 'worktree', changed: ['**'] },
    approved: { type: 'approval', role: 'reviewer', difference: true },
  },
  artifacts: [{ type: 'note', path: '*.md' }],
};

describe.each(databases)('the difference that a person approves (%s)', (database) => {
  let bench: Bench;
  let agent: Context;
  let person: Context;
  let made = 0;

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: bench.project });
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(bench.project, path)), { recursive: true });
    writeFileSync(join(bench.project, path), text);
    return path;
  };

  beforeAll(async () => {
    bench = await makeBench(database);
    write('.gitignore', '.data/\n.clone*/\nignored\n');
    write('src/a.ts', 'one\ntwo\nthree\n');
    write('src/gone.ts', 'was here\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    agent = await bench.context();
    person = await bench.context('human');
  });
  afterAll(async () => {
    expect((await verifyStore(agent.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  async function begin(more: object = {}): Promise<string> {
    git('checkout', '-qf', '.');
    git('clean', '-fdq');
    const id = `p${++made}`;
    write(`.sekisho/processes/${id}.yaml`, JSON.stringify({ id, ...process_, ...more }));
    return ((await createRun.run(agent, { process_id: id })) as Answer)['run_id'] as string;
  }
  const told = async (answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof Problem) return { code: error.code, message: error.in('en'), ...error.details };
      throw error;
    }
  };
  const go = async (run: string, event: string, paths: readonly string[] = [], by = agent): Promise<Answer> => {
    const { revision } = (await getState.run(agent, { run_id: run })) as Answer;
    const request = { runId: run, event, payload: {}, expectedRevision: revision as number, key: by.newId('k'), paths };
    return told(emit(by, request).then(({ result }) => result));
  };
  const ask = async (run: string, by: Context, operation = approve) => {
    const question = await operation.confirm!(by, { run_id: run });
    if (question === undefined) throw new Error('there was no question');
    return question;
  };
  const agree = (input: object, by: Context) => told(approve.run(by, approve.input.parse(input)));
  const refuse = (input: object, by: Context) => told(reject.run(by, reject.input.parse(input)));
  const describeIt = async (run: string, by = person) => (await describeRun.run(by, { run_id: run })) as Answer;
  const listed = async (run: string, path = differencePath): Promise<Answer> =>
    (await describeIt(run))['artifacts'].find((one: Answer) => one['path'] === path) as Answer;
  const read = (run: string, { path, version }: Answer) =>
    told(readEvidence.run(person, { run_id: run, path: path as string, version: version as number }));
  const digestIn = ({ input }: { readonly input: unknown }, path = differencePath) =>
    (input as { evidence: { path: string; digest: string }[] }).evidence.find((one) => one.path === path)?.digest;
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  test('is shown line by line, whatever kind of change it is', async () => {
    write('dirty.txt', 'begun before the run\n');
    const run = await begin();
    write('src/a.ts', 'one\n2\nthree\n');
    write('src/new.ts', 'export {};\n');
    write('picture.png', Buffer.from([0, 1, 2, 255]));
    write('long.txt', 'x\n'.repeat(200_000));
    write('ignored', 'x');
    write('odd\n+name.ts', 'x\n');
    rmSync(join(bench.project, 'src/gone.ts'));
    symlinkSync('/etc/passwd', join(bench.project, 'link'));
    expect(await go(run, 'submit')).toMatchObject({ moved: true });
    const { text, input } = await ask(run, person);
    const digest = (input as { evidence: { path: string; digest: string }[] }).evidence.find(
      (one) => one.path === differencePath,
    )?.digest;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    for (const line of [
      'changed src/a.ts',
      '| -two',
      '| +2',
      'added src/new.ts',
      '| +export {};',
      'removed src/gone.ts',
      '| -was here',
      '| added "odd\\n+name.ts"',
      '| +/etc/passwd',
      '(not shown: binary)',
      '(not shown: too large)',
      createHash('sha256')
        .update(Buffer.from([0, 1, 2, 255]))
        .digest('hex'),
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('root:');
    expect(text).not.toContain('ignored\n');
  });

  test(`${row('evidence.shown')} is what the answer is for: a change of one byte afterwards, shown or not, voids it`, async () => {
    const run = await begin();
    write('src/a.ts', 'one\n2\nthree\n');
    write('picture.png', Buffer.from([0, 1]));
    await go(run, 'submit');
    const { input } = await ask(run, person);
    write('picture.png', Buffer.from([0, 2]));
    expect(await agree(input, person)).toMatchObject({
      code: 'EVIDENCE_CHANGED',
      changes: [{ path: differencePath, how: 'changed' }],
    });
    expect(await agree((await ask(run, person)).input, person)).toMatchObject({ moved: false });
    write('src/a.ts', 'one\n3\nthree\n');
    // What the gate found is kept, for whoever approves next.
    expect(await go(run, 'finish')).toMatchObject({
      moved: false,
      missing_guards: [expect.stringContaining('current: 0')],
    });
    expect((await ask(run, person)).text).toContain('| +3');
    await agree((await ask(run, person)).input, person);
    expect(await go(run, 'finish')).toMatchObject({ moved: true, is_final: true });
  });

  test.runIf(canMap)(
    `${row('evidence.shown')} is read from the files: a write that leaves size, times and inode as they were is in it`,
    async () => {
      await begin();
      const mapping = await mapFile(join(bench.project, write('mapped.ts', '- a mapped file\n')));
      try {
        const run = ((await createRun.run(agent, { process_id: `p${made}` })) as Answer)['run_id'] as string;
        write('src/b.ts', 'more\n');
        await go(run, 'submit');
        const { input } = await ask(run, person);
        expect((await read(run, await listed(run)))['text']).not.toContain('mapped.ts');
        await mapping.write('1');
        expect((await read(run, await listed(run)))['text']).toContain('+1 a mapped file');
        expect(await agree(input, person)).toMatchObject({ code: 'EVIDENCE_CHANGED' });
        expect(await agree((await ask(run, person)).input, person)).toMatchObject({ moved: false });
        await mapping.write('2');
        expect(await go(run, 'finish')).toMatchObject({ moved: false });
        const { text } = await ask(run, person, reject);
        expect(text).toContain('| +2 a mapped file');
      } finally {
        mapping.close();
      }
    },
  );

  describe(`${row('evidence.shown')} is one and the same wherever it is shown or decided about`, () => {
    const changedSinceSubmit = async () => {
      const run = await begin();
      write('src/a.ts', 'one\n2\nthree\n');
      await go(run, 'submit');
      const before = await listed(run);
      write('src/late.ts', 'added while the reviewer was away\n');
      return { run, before };
    };

    test('a file that was added since is in what the page lists, shows, and asks about, for a yes and for a no', async () => {
      const { run, before } = await changedSinceSubmit();
      expect(before).toMatchObject({ version: 1, at: expect.any(String), is_unchanged: true });
      const now = await listed(run);
      expect(now).toMatchObject({ version: 2, at: null, is_kept: true, is_unchanged: true });
      expect(now['digest']).not.toBe(before['digest']);
      const shown = await read(run, now);
      expect(shown).toMatchObject({ digest: now['digest'], version: 2, at: null, is_kept: true });
      expect(shown['text']).toContain('+added while the reviewer was away');
      expect(sha256(shown['text'] as string)).toBe(now['digest']);
      for (const operation of [approve, reject])
        expect(digestIn(await ask(run, person, operation))).toBe(now['digest']);
      // The version that was recorded when the state was entered stays readable.
      expect((await read(run, before))['digest']).toBe(before['digest']);
      expect(await read(run, { ...now, version: 3 })).toMatchObject({ code: 'EVIDENCE_NOT_FOUND' });
    });

    test('a yes is recorded for the digest that was shown', async () => {
      const { run } = await changedSinceSubmit();
      const now = await listed(run);
      const evidence = [{ path: differencePath, digest: now['digest'] as string }];
      expect(await agree({ run_id: run, expected_revision: 1, evidence }, person)).toMatchObject({ moved: false });
      expect(await read(run, now)).toMatchObject({ digest: now['digest'], at: expect.any(String) });
      expect(await describeIt(run)).toMatchObject({ approvals: [{ role: 'reviewer' }], answers: ['reject'] });
      expect(await go(run, 'finish')).toMatchObject({ moved: true, is_final: true });
      // The state shows no difference any more: nothing was compared.
      expect(await listed(run)).toMatchObject({ version: 2, is_unchanged: null });
    });

    test('a no is recorded for the digest that was shown, and a stale one is refused', async () => {
      const { run, before } = await changedSinceSubmit();
      const now = await listed(run);
      const bind = ({ digest }: Answer) => ({
        run_id: run,
        comment: 'no',
        expected_revision: 1,
        evidence: [{ path: differencePath, digest: digest as string }],
      });
      expect(await refuse(bind(before), person)).toMatchObject({ code: 'EVIDENCE_CHANGED' });
      expect(await refuse(bind(now), person)).toMatchObject({ transition: { to_state: 'work' } });
      const history = (await getHistory.run(agent, { run_id: run, limit: 50 })) as Answer;
      expect(history['events'].at(-1)).toMatchObject({
        event_name: 'reject',
        evidence: [{ path: differencePath, digest: now['digest'] }],
      });
      expect((await read(run, now))['text']).toContain('+added while the reviewer was away');
    });

    test('an approval of an earlier difference counts nowhere any more', async () => {
      const { run } = await changedSinceSubmit();
      await agree((await ask(run, person)).input, person);
      write('src/late.ts', 'changed after the approval\n');
      const { approvals, answers, ways } = await describeIt(run);
      expect(approvals).toEqual([]);
      expect(answers).toEqual(['approve', 'reject']);
      const finish = ways.find((one: Answer) => one['event'] === 'finish');
      expect(finish.guards).toMatchObject([{ name: 'approved', is_satisfied: false }]);
    });

    test('a no takes no file that a guard found for evidence, so that none is handed in by it', async () => {
      const run = await begin({
        transitions: [
          { from: 'work', event: 'submit', to: 'review' },
          { from: 'review', event: 'approve', to: 'done', guards: ['approved', 'there'] },
          { from: 'review', event: 'reject', to: 'work' },
        ],
        guards: {
          approved: { type: 'approval', role: 'reviewer', difference: true },
          there: { type: 'artifact_exists', paths: ['found.md'] },
        },
      });
      await go(run, 'submit');
      write('found.md', 'found by the gate\n');
      const found = await listed(run, 'found.md');
      expect(found).toMatchObject({ version: 1, at: null, is_kept: true });
      expect(await read(run, found)).toMatchObject({ text: 'found by the gate\n', digest: found['digest'] });
      const question = await ask(run, person, reject);
      expect(digestIn(question, 'found.md')).toBe(found['digest']);
      expect(await refuse(question.input, person)).toMatchObject({ transition: { to_state: 'work' } });
      const history = (await getHistory.run(agent, { run_id: run, limit: 50 })) as Answer;
      expect(history['events'].at(-1)).toMatchObject({
        artifacts: [{ path: differencePath }],
        evidence: [{ path: differencePath }, { path: 'found.md', digest: found['digest'] }],
      });
      expect(await listed(run, 'found.md')).toBeUndefined();
    });
  });

  test(`${row('evidence.shown')} counts from the beginning of the run, through commits and a rejection`, async () => {
    const run = await begin();
    write('src/a.ts', 'one\n2\nthree\n');
    git('commit', '-qam', 'hidden in a commit');
    await go(run, 'submit');
    await told(reject.run(person, reject.input.parse({ run_id: run })));
    write('src/b.ts', 'more\n');
    expect(await go(run, 'submit')).toMatchObject({ moved: true });
    const { text } = await ask(run, person);
    expect(text).toContain('| +2');
    expect(text).toContain('added src/b.ts');
    git('reset', '-q', '--hard', 'HEAD~1');
  });

  test(`${row('evidence.elsewhere')} is kept, so that it can be shown and approved where the files are not; it is decided where they are`, async () => {
    const run = await begin();
    write('src/a.ts', 'one\n2\nthree\n');
    write('note.md', 'a note for the reviewer');
    await go(run, 'submit', ['note.md']);
    const far = await bench.elsewhere('human');
    const { artifacts } = await describeIt(run, far);
    expect(artifacts.map((one: Answer) => one['is_unchanged'])).toEqual([null, null]);
    const { text, input } = await ask(run, far);
    for (const line of ['another machine', '| +2', '| a note for the reviewer']) expect(text).toContain(line);
    const recorded = await agree(input, far);
    expect(recorded).toMatchObject({ moved: false });
    expect(recorded['changed_since']).toBeUndefined();
    // Nobody there can hand in a file of another tree, or decide by what lies in it.
    const other = await bench.elsewhere();
    expect(await go(run, 'finish', ['note.md'], other)).toMatchObject({
      code: 'INVALID_PAYLOAD',
      message: expect.stringContaining('another machine'),
    });
    expect(await go(run, 'finish', [], other)).toMatchObject({
      code: 'GUARD_FAILED',
      missing_guards: [expect.stringContaining('decided where the files are')],
    });
    expect(await go(run, 'finish')).toMatchObject({ moved: true });
  });

  test('of a folder without git is shown as far as it is known', async () => {
    const run = await begin();
    write('note.md', 'first');
    await go(run, 'submit', ['note.md']);
    await told(reject.run(person, reject.input.parse({ run_id: run })));
    rmSync(join(bench.project, '.git'), { recursive: true });
    write('.gitignore', '.data/\n.clone*/\n');
    const id = `p${++made}`;
    write(`.sekisho/processes/${id}.yaml`, JSON.stringify({ id, ...process_ }));
    const second = ((await createRun.run(agent, { process_id: id })) as Answer)['run_id'] as string;
    write('note.md', 'second');
    write('src/a.ts', 'all of it\n');
    await go(second, 'submit');
    const { text } = await ask(second, person);
    expect(text).toContain('| -first');
    expect(text).toContain('what it was before is not known');
    expect(text).toContain('| +all of it');
  });
});
