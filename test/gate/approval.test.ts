import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { approve } from '../../src/gate/operation/approve.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { getHistory } from '../../src/gate/operation/get-history.ts';
import { getState } from '../../src/gate/operation/get-state.ts';
import { listWaiting } from '../../src/gate/operation/list-waiting.ts';
import { reject } from '../../src/gate/operation/reject.ts';
import { emit } from '../../src/gate/run/emit.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Operation } from '../../src/kernel/operation.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { phaseStatus } from '../../src/phase/operation/phase-status.ts';
import { transitionToNextPhase } from '../../src/phase/operation/transition-to-next-phase.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';
import { row } from '../setup/security.ts';

// Tests read arbitrary fields of answers; `unknown` would only add casts.
type Answer = Record<string, any>;

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

describe.each(databases)('approvals (%s)', (database) => {
  let bench: Bench;
  let agent: Context;
  let person: Context;
  let second: Context;

  beforeAll(async () => {
    bench = await makeBench(database);
    write(
      '.sekisho/config.yaml',
      `gate: { keepBytes: 20000 }
phases:
  list:
    - id: draft
      prompt: Write the draft.
      required_files: [draft.md]
      guards: [{ type: approval, role: reviewer }]
    - id: build
      prompt: Build it.\n`,
    );
    await bench.trustConfiguration();
    agent = await bench.context();
    person = await bench.context('human');
    second = { ...person, actor: { ...person.actor, id: 'os:somebody-else' } };
  });
  afterAll(async () => {
    expect((await verifyStore(agent.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  function write(path: string, text: string | Buffer): string {
    mkdirSync(dirname(join(bench.project, path)), { recursive: true });
    writeFileSync(join(bench.project, path), text);
    return path;
  }

  let made = 0;

  /** `submit` hands in, `approve` leads on (or stays, where `stays`) and `finish` leads on; both ways out behind the guards. */
  async function begin(guards: object, more: { stays?: boolean; [key: string]: unknown } = {}): Promise<string> {
    const id = `p${++made}`;
    const names = Object.keys(guards);
    const { stays = false, ...rest } = more;
    const body = {
      id,
      version: '1',
      initial_state: 'a',
      states: [{ name: 'a' }, { name: 'b', is_final: true }],
      events: [
        { name: 'submit' },
        { name: 'finish' },
        { name: 'approve', allowed_roles: ['reviewer'] },
        { name: 'reject', allowed_roles: ['reviewer'] },
      ],
      transitions: [
        { from: 'a', event: 'submit', to: 'a' },
        { from: 'a', event: 'finish', to: 'b', guards: names },
        stays ? { from: 'a', event: 'approve', to: 'a' } : { from: 'a', event: 'approve', to: 'b', guards: names },
        { from: 'a', event: 'reject', to: 'a' },
      ],
      guards,
      artifacts: [{ type: 'note', path: 'notes/**' }],
      ...rest,
    };
    write(`.sekisho/processes/${id}.yaml`, JSON.stringify(body));
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

  const stateOf = async (run: string) => (await getState.run(agent, { run_id: run })) as Answer;

  const go = async (run: string, event: string, paths: readonly string[] = [], by = agent): Promise<Answer> => {
    const expectedRevision = (await stateOf(run))['revision'] as number;
    const request = { runId: run, event, payload: {}, expectedRevision, key: by.newId('k'), paths };
    return told(emit(by, request).then(({ result }) => result));
  };

  const submit = (run: string, path: string, text: string | Buffer) => go(run, 'submit', [write(path, text)]);

  const ask = async (run: string, operation: Operation = approve, by = person) => {
    const question = await operation.confirm!(by, { run_id: run });
    if (question === undefined) throw new Error('there was no question');
    return question;
  };

  const agree = (input: object, operation: Operation = approve, by = person) =>
    told(operation.run(by, operation.input.parse(input)));

  const one = { yes: { type: 'approval', role: 'reviewer' } };
  const two = { yes: { type: 'approval', role: 'reviewer', min_count: 2 } };

  describe('what the deciding transition records', () => {
    const found = { there: { type: 'artifact_exists', paths: ['found.md'] }, ...one };

    test('voids no approval that was given for the same bytes', async () => {
      const run = await begin(found, { stays: true });
      write('found.md', 'the same');
      expect(await agree({ run_id: run })).toMatchObject({ moved: false, missing_guards: [] });
      expect(await go(run, 'finish')).toMatchObject({ moved: true });
    });

    test('voids one that was given for other bytes, and one that was given before the file was there', async () => {
      const run = await begin(found, { stays: true });
      write('found.md', 'before');
      await agree({ run_id: run });
      write('found.md', 'after');
      expect(await go(run, 'finish')).toMatchObject({ moved: false });
      rmSync(join(bench.project, 'found.md'));
      const early = await begin(found, { stays: true });
      await agree({ run_id: early });
      write('found.md', 'late');
      expect(await go(early, 'finish')).toMatchObject({ moved: false });
      await agree({ run_id: early });
      expect(await go(early, 'finish')).toMatchObject({ moved: true });
    });

    test('an approval counts again where the bytes are again those that it was given for', async () => {
      const run = await begin(one, { stays: true });
      await submit(run, 'notes/again.md', 'first');
      await agree({ run_id: run });
      await submit(run, 'notes/again.md', 'second');
      expect((await go(run, 'finish'))['code']).toBe('GUARD_FAILED');
      await submit(run, 'notes/again.md', 'first');
      expect(await go(run, 'finish')).toMatchObject({ moved: true });
    });

    test('a phase with a required file and an approval needs one approval', async () => {
      const complete = (outputFiles: readonly string[] = []) =>
        told(
          transitionToNextPhase.run(
            agent,
            transitionToNextPhase.input.parse({ currentPhase: 'draft', result: { status: 'completed', outputFiles } }),
          ),
        );
      write('draft.md', 'A draft.');
      const early = await complete();
      expect(early['code']).toBe('GUARD_FAILED');
      const { run_id: run } = (await phaseStatus.run(person, {})) as Answer;
      expect(early['next_step']).toContain(`sekisho approve ${run}`);
      expect((await ask(run)).text).toContain('| A draft.');
      expect(await agree((await ask(run)).input)).toMatchObject({ moved: false, missing_guards: [] });
      expect(await complete(['draft.md'])).toMatchObject({ nextPhase: 'build' });
      // No guard of this phase counts an approval: there is nothing to say yes to.
      expect(await told(ask(run))).toMatchObject({ code: 'NOTHING_TO_APPROVE' });
    });
  });

  describe('what a person is shown', () => {
    test('is the text, the difference to the version before, and what the working copy has changed since', async () => {
      const run = await begin(one);
      await submit(run, 'notes/plan.md', '# Plan\nold step\nsame step\n');
      expect((await ask(run)).text).toContain('| old step');
      await submit(run, 'notes/plan.md', '# Plan\nnew step\nsame step\n');
      write('notes/plan.md', '# Plan\nnew step\nsecret step\n');
      const { text, input } = await ask(run);
      expect(text).toContain('| new step');
      expect(text).toContain('| -old step');
      expect(text).toContain('| +new step');
      expect(text).toContain('notes/plan.md has changed since it was submitted');
      expect(text).toContain('| +secret step');
      expect(text).toContain(sha256('# Plan\nnew step\nsame step\n').slice(0, 16));
      // What was handed in is approved, and the answer says that it is not what lies there now.
      expect(await agree(input)).toMatchObject({ moved: true, changed_since: ['notes/plan.md'] });
      const history = (await getHistory.run(agent, { run_id: run, limit: 50 })) as Answer;
      expect(history['events'].at(-1)).toMatchObject({
        event_name: 'approve',
        evidence: [{ path: 'notes/plan.md', digest: sha256('# Plan\nnew step\nsame step\n') }],
      });
    });

    test('says what is binary, what was not kept and what is gone', async () => {
      const run = await begin(one);
      await submit(run, 'notes/image.png', Buffer.from([0x89, 0x50, 0, 1, 2, 0xff]));
      await submit(run, 'notes/large.md', 'x'.repeat(30_000));
      await submit(run, 'notes/gone.md', 'gone soon');
      rmSync(join(bench.project, 'notes/gone.md'));
      const { text } = await ask(run);
      expect(text).toMatch(/notes\/image\.png.*\n.*binary/);
      expect(text).toMatch(/notes\/large\.md.*\n.*not kept/);
      expect(text).toContain('notes/gone.md no longer exists');
    });

    test('is bounded, and no line of a file can pass for one of ours', async () => {
      const run = await begin(one);
      await submit(run, 'notes/long.md', `${'y'.repeat(10_000)}\napprove? [y/N] y\n${'line\n'.repeat(900)}`);
      const { text } = await ask(run);
      expect(text.split('\n').every((line) => line.length < 600)).toBe(true);
      expect(text.split('\n').length).toBeLessThan(600);
      expect(text).toContain('| approve? [y/N] y');
      expect(text).not.toMatch(/^\s*approve\?/m);
      expect(text).toMatch(/more lines/);
      await submit(run, 'notes/odd\nstate b.md', 'odd');
      expect((await ask(run)).text).not.toMatch(/^state b/m);
    });
  });

  describe(`${row('evidence.shown')} what is approved`, () => {
    test('is exactly what was shown: evidence that changed meanwhile is refused and named', async () => {
      const run = await begin(one);
      await submit(run, 'notes/x.md', 'one');
      const { input } = await ask(run);
      await submit(run, 'notes/x.md', 'two');
      await submit(run, 'notes/y.md', 'new');
      const late = await agree(input);
      expect(late['code']).toBe('EVIDENCE_CHANGED');
      expect(late['message']).toContain('notes/x.md');
      expect(late['message']).toContain('notes/y.md');
      expect(late['changes']).toEqual([
        { path: 'notes/x.md', how: 'changed' },
        { path: 'notes/y.md', how: 'added' },
      ]);
      expect((await stateOf(run))['current_state']).toBe('a');
    });

    test('is exactly what was shown: a file that the gate finds by itself too', async () => {
      const run = await begin({ there: { type: 'artifact_exists', paths: ['free.md'] }, ...one });
      write('free.md', 'shown');
      const { text, input } = await ask(run);
      expect(text).toContain('| shown');
      write('free.md', 'swapped');
      expect(await agree(input)).toMatchObject({
        code: 'EVIDENCE_CHANGED',
        changes: [{ path: 'free.md', how: 'changed' }],
      });
      write('free.md', 'shown');
      expect(await agree(input)).toMatchObject({ moved: true });
    });

    test('a run that moved meanwhile is refused with where it is now', async () => {
      const run = await begin(two);
      await submit(run, 'notes/m.md', 'm');
      const { input } = await ask(run);
      const half = await agree((await ask(run, approve, second)).input, approve, second);
      expect(half).toMatchObject({
        moved: false,
        missing_guards: [expect.stringContaining('(current: 1, required: 2)')],
      });
      // The command line ends with 1.
      expect(approve.fellShort!(half as never)).toBe(true);
      const late = await agree(input);
      expect(late['code']).toBe('REVISION_CONFLICT');
      expect(late['message']).toContain('revision 1');
      expect(await agree((await ask(run)).input)).toMatchObject({ moved: true });
    });
  });

  describe('where nothing can be approved', () => {
    test('nobody is asked, and the reason is said', async () => {
      const own = await begin(one);
      await go(own, 'submit', [write('notes/own.md', 'mine')], {
        ...person,
        actor: { ...person.actor, role: 'reviewer' },
      });
      expect(await told(ask(own))).toMatchObject({
        code: 'GUARD_FAILED',
        missing_guards: [expect.stringContaining('no one can approve their own evidence')],
      });
      const done = await begin(one);
      await agree({ run_id: done });
      expect((await told(ask(done)))['code']).toBe('INVALID_EVENT');
      const twice = await begin(two);
      await agree({ run_id: twice });
      expect((await told(ask(twice)))['code']).toBe('GUARD_FAILED');
      const none = await begin({ set: { type: 'context', variable: 'x', condition: 'exists' } }, { stays: true });
      expect((await told(ask(none)))['code']).toBe('NOTHING_TO_APPROVE');
      expect((await ask(none, reject)).text).toContain(none);
    });
  });

  describe('what waits', () => {
    const waiting = async (by = person) =>
      ((await listWaiting.run(by, { limit: 50 })) as Answer)['waiting'] as readonly Answer[];

    test('is what this person can approve, with what else is missing', async () => {
      const ready = await begin(one);
      await submit(ready, 'notes/ready.md', 'r');
      const early = await begin({ note: { type: 'artifact', artifact_type: 'note' }, ...one }, { stays: true });
      const halfway = await begin(two);
      await submit(halfway, 'notes/half.md', 'h');
      const byRun = async (run: string, by = person) => (await waiting(by)).find((each) => each['run_id'] === run);
      expect(await byRun(ready)).toMatchObject({ ready: true, missing: [], state: 'a', events: ['approve', 'reject'] });
      expect(await byRun(early)).toMatchObject({ ready: false, missing: [expect.stringContaining('note')] });
      await agree({ run_id: halfway });
      expect(await byRun(halfway)).toBeUndefined();
      expect(await byRun(halfway, second)).toMatchObject({ ready: true });
      await agree({ run_id: ready });
      expect(await byRun(ready)).toBeUndefined();
    });
  });

  describe('an agent that waits for a person', () => {
    test('is told which command gives it, and how to wait; a person is told the command only', async () => {
      const run = await begin(one);
      const command = `sekisho approve ${run}`;
      const told = String((await stateOf(run))['waits_for_person']);
      expect(told).toContain(command);
      expect(told).toContain('state_gate.get_state with wait_ms: 50000');
      const { waits_for_person: asked } = (await getState.run(person, { run_id: run })) as Answer;
      expect(asked).toBe(`A person has to approve. Ask them to run: ${command}`);
      const refused = await go(run, 'finish');
      expect(refused['next_step']).toContain(command);
      expect(refused['missing_guards'][0]).toMatch(/sekisho approve.*\(current: 0, required: 1\)$/);
      await agree({ run_id: run });
      expect((await stateOf(run))['waits_for_person']).toBeNull();
      const other = await begin(
        { yes: { type: 'approval', role: 'lead', event: 'confirm' } },
        {
          events: [{ name: 'confirm', allowed_roles: ['lead'] }, { name: 'finish' }],
          transitions: [
            { from: 'a', event: 'confirm', to: 'a' },
            { from: 'a', event: 'finish', to: 'b', guards: ['yes'] },
          ],
        },
      );
      expect((await stateOf(other))['waits_for_person']).toContain('--event-name confirm --role lead');
    });
  });
});
