import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { readPersonWait } from '../../src/gate/index.ts';
import { approve } from '../../src/gate/operation/approve.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { emitEvent } from '../../src/gate/operation/emit-event.ts';
import { getState } from '../../src/gate/operation/get-state.ts';
import { createDecider } from '../../src/gate/run/keep-decisions.ts';
import { readRun } from '../../src/gate/run/runs.ts';
import type { Context } from '../../src/kernel/context.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { type Bench, makeBench } from '../setup/context.ts';

const definition = (
  id: string,
  people: number,
  more: string,
) => `process: { id: ${id}, version: "1", name: Reviewed, initial_state: work }
states: [{ name: work }, { name: review }, { name: done, is_final: true }]
events:
  - { name: submit, allowed_roles: [agent] }
  - { name: approve, allowed_roles: [reviewer], payload_schema: { type: object }, context: [comment] }
  - { name: reject, allowed_roles: [reviewer] }
transitions:
  - { from: work, event: submit, to: review, guard: has_note }
  - { from: review, event: approve, to: done, guards: [approved, code_same${more}] }
  - { from: review, event: reject, to: work }
guards:
  has_note: { type: artifact, artifact_type: note, condition: exists }
  approved: { type: approval, role: reviewer, difference: true, min_count: ${people} }
  has_report: { type: artifact, artifact_type: report, condition: exists }
  code_same: { type: worktree, unchanged: ["code.ts"] }
artifacts: [{ type: note, path: note.md }, { type: report }]
`;

describe.each(['sqlite', 'postgres'] as const)('an answer given where the files are not (%s)', (database) => {
  let bench: Bench;
  let agent: Context;
  let person: Context;
  let far: Context;

  const write = (path: string, text: string) => writeFileSync(join(bench.project, path), text);

  beforeAll(async () => {
    bench = await makeBench(database);
    for (const [id, people, more] of [
      ['one', 1, ''],
      ['two', 2, ''],
      ['more', 1, ', has_report'],
    ] as const)
      write(`.sekisho/processes/${id}.yaml`, definition(id, people, more));
    write('code.ts', 'one\n');
    execFileSync('git', ['init', '-q'], { cwd: bench.project });
    agent = await bench.context();
    person = await bench.context('human');
    far = await bench.elsewhere('human');
  });
  afterAll(async () => {
    expect((await verifyStore(agent.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  /** A run that waits for a reviewer. */
  const waiting = async (process_id = 'one') => {
    write('code.ts', 'one\n');
    const { run_id } = (await createRun.run(agent, { process_id })) as { run_id: string };
    write('code.ts', 'two\n');
    write('note.md', `a note for ${run_id}\n`);
    await emitEvent.run(agent, {
      run_id,
      event_name: 'submit',
      expected_revision: 0,
      idempotency_key: 'k',
      artifact_paths: ['note.md'],
    });
    return run_id;
  };
  const answer = (run_id: string, by: Context) => approve.run(by, { run_id, comment: 'looks right' });
  const events = async (run: string) =>
    (
      await person.store.read([
        {
          sql: 'select name, actor, role, from_state, to_state, evidence from event where run_id = :run order by revision',
          args: { run },
        },
      ])
    )[0]?.map(({ name, actor, to_state }) => [name, actor, to_state]);
  const stateOf = async (run: string) => (await readRun(person, run)).run;

  test('moves the run as soon as the checkout with the files is served, by an event of the gate', async () => {
    const run = await waiting();
    expect(await answer(run, far)).toMatchObject({ moved: false });
    // Another clone has no say about these files.
    await createDecider()(far);
    expect(await stateOf(run)).toMatchObject({ state: 'review', revision: 2 });
    await createDecider()(agent);
    expect(await stateOf(run)).toMatchObject({
      state: 'done',
      revision: 3,
      isFinal: true,
      context: { comment: 'looks right' },
    });
    expect((await events(run))?.slice(1)).toEqual([
      ['approve', 'os:me', 'review'],
      ['approve', 'gate', 'done'],
    ]);
    const [[told] = []] = await person.store.read([
      { sql: `select actor, kind from journal where subject = :run order by seq desc limit 1`, args: { run } },
    ]);
    expect(told).toMatchObject({ actor: 'system:gate', kind: 'run.event' });
  });

  test('is decided by one of several that serve the checkout', async () => {
    const run = await waiting();
    await answer(run, far);
    const others = await Promise.all([bench.context(), bench.context(), bench.context()]);
    await Promise.all([agent, ...others].map((one) => createDecider()(one)));
    expect(await stateOf(run)).toMatchObject({ state: 'done', revision: 3 });
  });

  test('does not move a run whose files have changed since, and the gate records what it found', async () => {
    const run = await waiting();
    await answer(run, far);
    write('other.ts', 'came later\n');
    const decide = createDecider();
    await decide(agent);
    expect(await stateOf(run)).toMatchObject({ state: 'review' });
    const recorded = await events(run);
    await decide(agent);
    await createDecider()(agent);
    expect(await events(run)).toEqual(recorded);
    // The answer was for something else: the person is asked again.
    expect(await readPersonWait(agent, run)).toContain(`sekisho approve ${run}`);
    rmSync(join(bench.project, 'other.ts'));
  });

  test('does not move a run while another guard refuses; the next event decides', async () => {
    const run = await waiting();
    await answer(run, far);
    write('code.ts', 'three\n');
    await createDecider()(agent);
    expect(await stateOf(run)).toMatchObject({ state: 'review' });
    write('code.ts', 'two\n');
    expect(await answer(run, person)).toMatchObject({ moved: true });
  });

  test('counts as one approval only, and an approval that waits for a second one is left alone', async () => {
    const run = await waiting('two');
    expect(await answer(run, far)).toMatchObject({ moved: false });
    await createDecider()(agent);
    expect(await stateOf(run)).toMatchObject({ state: 'review', revision: 2 });
    const second = { ...person, actor: { ...person.actor, id: 'os:you' } };
    expect(await answer(run, second)).toMatchObject({ moved: true });
  });

  test('that was given here is not decided again', async () => {
    const run = await waiting('two');
    expect(await answer(run, person)).toMatchObject({ moved: false });
    const before = await person.store.head();
    await createDecider()(agent);
    expect(await person.store.head()).toBe(before);
  });

  test('is what the run waits for as long as nothing else is missing', async () => {
    const { run_id } = (await createRun.run(agent, { process_id: 'one' })) as { run_id: string };
    expect(await readPersonWait(agent, run_id)).toBeUndefined();
    const run = await waiting();
    expect(await readPersonWait(agent, run)).toContain(`sekisho approve ${run}`);
    expect(await readPersonWait(person, run)).toContain(`sekisho approve ${run}`);
    const two = await waiting('two');
    await answer(two, person);
    expect(await readPersonWait(agent, two)).toContain(`sekisho approve ${two}`);
    const more = await waiting('more');
    expect(await getState.run(agent, { run_id: more })).toMatchObject({
      waits_for_person: expect.stringContaining(`sekisho approve ${more}`),
    });
    expect(await readPersonWait(agent, more)).toBeUndefined();
    expect(await answer(run, person)).toMatchObject({ moved: true });
    expect(await readPersonWait(agent, run)).toBeUndefined();
  });
});
