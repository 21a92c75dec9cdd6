import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { findDefinition, placeRunWrites, startRun, workingPapersOf } from '../../src/gate/index.ts';
import { acceptChanges } from '../../src/gate/operation/accept-changes.ts';
import { approve } from '../../src/gate/operation/approve.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { describeRun } from '../../src/gate/operation/describe-run.ts';
import { emitEvent } from '../../src/gate/operation/emit-event.ts';
import { getState } from '../../src/gate/operation/get-state.ts';
import { useRun } from '../../src/gate/operation/use-run.ts';
import { readBoundRuns } from '../../src/gate/run/bound-run.ts';
import { treeHolders } from '../../src/gate/run/holder.ts';
import type { Context } from '../../src/kernel/context.ts';
import { Problem } from '../../src/kernel/problem.ts';
import type { Row } from '../../src/kernel/store/store.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { type Bench, makeBench } from '../setup/context.ts';

const definition = `process: { id: paper, version: "1", name: Paper, initial_state: work }
states: [{ name: work }, { name: review }, { name: done, is_final: true }]
events: [{ name: submit }, { name: approve, allowed_roles: [reviewer] }, { name: reject, allowed_roles: [reviewer] }]
transitions:
  - { from: work, event: submit, to: review, guards: [has_plan, only_plan] }
  - { from: work, event: reject, to: done }
  - { from: review, event: approve, to: done, guard: approved }
guards:
  has_plan: { type: artifact, artifact_type: plan, condition: exists }
  only_plan: { type: worktree, changed_only: ["*.md"] }
  approved: { type: approval, role: reviewer, difference: true }
artifacts:
  - { type: plan, path: plan.md, land: false }
  - { type: note, path: "notes/*.md", land: false }
  - { type: manual, path: "manual.md" }
`;

describe.each(['sqlite', 'postgres'] as const)('a run that is placed later (%s)', (database) => {
  let bench: Bench;
  let agent: Context;
  let person: Context;
  let made = 0;

  beforeAll(async () => {
    bench = await makeBench(database);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: bench.project });
    writeFileSync(join(bench.project, '.sekisho/processes/paper.yaml'), definition);
    writeFileSync(join(bench.project, 'code.ts'), 'one\n');
    // What somebody else left in the main checkout.
    writeFileSync(join(bench.project, 'plan.md'), 'the plan of another task\n');
    git('init', '-q');
    git('add', 'code.ts');
    git('commit', '-qm', 'first');
    agent = await bench.context();
    person = await bench.context('human');
  });
  afterAll(async () => {
    expect((await verifyStore(agent.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  const begin = async () => {
    const { definition: found, digest, file } = await findDefinition(person, 'paper');
    const started = await startRun(person, {
      definition: found,
      digest,
      file,
      context: {},
      binds: 'nobody',
      tree: 'later',
    });
    expect((await person.store.commit(started.writes, [started.entry])).done).toBe(true);
    return started.id;
  };
  /** A caller in another tree of the project. */
  const inTree = (context: Context, tree = join(bench.project, `../tree-${++made}`)): Context => {
    mkdirSync(tree, { recursive: true });
    writeFileSync(join(tree, 'code.ts'), 'one\n');
    return { ...context, project: { ...context.project, tree } };
  };
  const place = async (context: Context, run: string) => {
    const { writes, entries } = await placeRunWrites(context, run);
    const [first] = entries;
    return first === undefined ? 'placed already' : (await context.store.commit(writes, [first])).done;
  };
  const rows = async (table: string, run: string, column = 'run_id'): Promise<readonly Row[]> =>
    (await person.store.read([{ sql: `select * from ${table} where ${column} = :run`, args: { run } }]))[0] ?? [];
  const kinds = async (run: string) =>
    (
      await person.store.read([
        { sql: 'select kind, data from journal where subject = :run order by seq', args: { run } },
      ])
    )[0]?.map((row) => row['kind']);
  const submit = (context: Context, run: string, paths: readonly string[] = ['plan.md'], revision = 0) =>
    emitEvent.run(context, {
      run_id: run,
      event_name: 'submit',
      expected_revision: revision,
      idempotency_key: context.newId('k'),
      artifact_paths: [...paths],
    });
  const refused = async (answer: Promise<unknown>) => {
    const error = await answer.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof Problem)) throw error ?? new Error('it was not refused');
    return { code: error.code, message: error.in('en'), japanese: error.in('ja') };
  };

  test('has no tree, no start and no baseline, and its guards about files are pending', async () => {
    const run = await begin();
    expect(await rows('run', run, 'id')).toMatchObject([{ tree: '', checkout: '' }]);
    expect(await rows('tree_start', run)).toEqual([]);
    expect(await rows('tree_baseline', run)).toEqual([]);
    expect(await describeRun.run(person, { run_id: run })).toMatchObject({ tree: '' });
    const { missing_guards } = await getState.run(agent, { run_id: run });
    expect(missing_guards.find((one) => one.guard_name === 'only_plan')?.current_status).toContain(
      'no agent has taken the task yet',
    );
    expect(await refused(acceptChanges.run(person, { run_id: run }))).toMatchObject({ code: 'TREE_UNREADABLE' });
  });

  test('takes no event of an agent that does not hold it, with or without files', async () => {
    const run = await begin();
    for (const paths of [['plan.md'], []]) {
      const { code, message, japanese } = await refused(submit(agent, run, paths));
      expect(code).toBe('FORBIDDEN');
      expect(message).toContain('No agent has taken the task of this run yet');
      expect(japanese).toContain('まだどのエージェントも引き受けていない');
    }
    expect(await rows('run', run, 'id')).toMatchObject([{ tree: '', revision: 0 }]);
    expect(await kinds(run)).toEqual(['run.created']);
  });

  test('is placed in the tree of the first who takes it: evidence and guards look only there', async () => {
    const run = await begin();
    const there = inTree(agent);
    expect(await place(there, run)).toBe(true);
    expect(await place(there, run)).toBe('placed already');
    expect(await rows('run', run, 'id')).toMatchObject([{ tree: there.project.tree, revision: 0 }]);
    expect(await rows('tree_start', run)).toHaveLength(1);
    expect(await rows('tree_baseline', run)).toMatchObject([{ state: 'work', entered: 0, fault: null }]);
    expect(await kinds(run)).toEqual(['run.created', 'run.placed']);
    // The plan of the main checkout does not count, and an edit there is no edit of this tree.
    expect(await refused(submit(there, run))).toMatchObject({ code: 'INVALID_PAYLOAD' });
    writeFileSync(join(bench.project, 'code.ts'), 'edited by a neighbour\n');
    writeFileSync(join(there.project.tree, 'plan.md'), 'my plan\n');
    expect(await submit(there, run)).toMatchObject({ result: { moved: true } });
    writeFileSync(join(bench.project, 'code.ts'), 'one\n');
  });

  test('compares with the tree as it was when it was placed', async () => {
    const run = await begin();
    const there = inTree(agent);
    writeFileSync(join(there.project.tree, 'code.ts'), 'edited before the task was taken\n');
    expect(await place(there, run)).toBe(true);
    writeFileSync(join(there.project.tree, 'plan.md'), 'my plan\n');
    writeFileSync(join(there.project.tree, 'code.ts'), 'edited against the rule\n');
    expect(await submit(there, run)).toMatchObject({
      result: { moved: false, missing_guards: [expect.stringContaining('code.ts')] },
    });
    writeFileSync(join(there.project.tree, 'code.ts'), 'edited before the task was taken\n');
    expect(await submit(there, run, [], 1)).toMatchObject({ result: { moved: true } });
  });

  test('is placed once, however many take it at the same time', async () => {
    const run = await begin();
    const callers = [inTree(agent), inTree(person), inTree(await bench.context()), agent];
    const done = await Promise.all(callers.map((one) => place(one, run)));
    expect(done.filter((one) => one === true)).toHaveLength(1);
    expect((await kinds(run))?.filter((kind) => kind === 'run.placed')).toHaveLength(1);
    const winner = callers[done.indexOf(true)]!;
    const [row] = await rows('run', run, 'id');
    expect(row?.['tree'] ?? bench.project).toBe(winner.project.tree);
  });

  test('is the run of its worktree, unless an open one is there; the main checkout gets none', async () => {
    const there = inTree(agent);
    const own = async (context: Context) =>
      (await readBoundRuns(context.store, context.project, treeHolders(context.project))).map((one) => one.id);
    const [first, second, third, main] = [await begin(), await begin(), await begin(), await begin()];
    await place(there, first);
    expect(await own(there)).toEqual([first]);
    await place(there, second);
    expect(await own(there)).toEqual([first]);
    await emitEvent.run(
      { ...there, actor: { ...person.actor, role: 'reviewer' } },
      { run_id: first, event_name: 'reject', expected_revision: 0, idempotency_key: 'over' },
    );
    await place(there, third);
    expect(await own(there)).toEqual([third]);
    await place(agent, main);
    expect(await rows('run', main, 'id')).toMatchObject([{ tree: null }]);
    expect(await own(agent)).toEqual([]);
  });

  test('frees no agent from the open run of the main checkout', async () => {
    const { run_id: gate } = (await createRun.run(person, { process_id: 'paper' })) as { run_id: string };
    const there = inTree(agent);
    const run = await begin();
    expect(await place(there, run)).toBe(true);
    const bound = await readBoundRuns(there.store, there.project, treeHolders(there.project));
    expect(bound.map((one) => one.id)).toEqual([gate]);
    await emitEvent.run(
      { ...person, actor: { ...person.actor, role: 'reviewer' } },
      { run_id: gate, event_name: 'reject', expected_revision: 0, idempotency_key: 'over' },
    );
  });

  test('is placed in the tree of a person who emits an event, and of an agent that a person gave it to', async () => {
    const run = await begin();
    const there = inTree(person);
    writeFileSync(join(there.project.tree, 'plan.md'), 'a person’s plan\n');
    // What the process does not admit places nothing.
    expect(await refused(approve.run(there, { run_id: run }))).toMatchObject({ code: 'INVALID_EVENT' });
    expect(await rows('run', run, 'id')).toMatchObject([{ tree: '' }]);
    expect(await submit(there, run)).toMatchObject({ result: { moved: true } });
    expect(await rows('run', run, 'id')).toMatchObject([{ tree: there.project.tree }]);
    expect(await kinds(run)).toEqual(['run.created', 'run.placed', 'run.event']);

    const given = await begin();
    const desk = inTree(agent);
    await useRun.run({ ...person, project: desk.project }, { run_id: given });
    writeFileSync(join(desk.project.tree, 'plan.md'), 'my plan\n');
    expect(await submit(desk, given)).toMatchObject({ result: { moved: true } });
    expect(await rows('run', given, 'id')).toMatchObject([{ tree: desk.project.tree }]);
  });

  test('lists its working papers: the submitted ones and the one that a type names', async () => {
    const run = await begin();
    const there = inTree(agent);
    await place(there, run);
    expect(await workingPapersOf(there, run)).toEqual(['plan.md']);
    mkdirSync(join(there.project.tree, 'notes'));
    for (const path of ['plan.md', 'notes/one.md', 'manual.md', 'other.md'])
      writeFileSync(join(there.project.tree, path), path);
    await submit(there, run, ['plan.md', 'notes/one.md', 'manual.md', 'other.md']);
    expect(await workingPapersOf(there, run)).toEqual(['notes/one.md', 'plan.md']);
    for (const [process, papers] of [
      ['explore-plan-implement-verify', ['changes.md', 'exploration.md', 'plan.md']],
      ['bug-fix', ['reproduction.md']],
      ['review', ['answers.md', 'review.md']],
      ['release', []],
    ] as const) {
      const { run_id } = (await createRun.run(there, { process_id: process })) as { run_id: string };
      expect(await workingPapersOf(there, run_id)).toEqual(papers);
    }
  });
});
