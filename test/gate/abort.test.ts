import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { holdersOf, readBoundRuns } from '../../src/gate/index.ts';
import { abortRun } from '../../src/gate/operation/abort-run.ts';
import { approve } from '../../src/gate/operation/approve.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { describeRun } from '../../src/gate/operation/describe-run.ts';
import { emitEvent } from '../../src/gate/operation/emit-event.ts';
import { getHistory } from '../../src/gate/operation/get-history.ts';
import { getState } from '../../src/gate/operation/get-state.ts';
import { listEvents } from '../../src/gate/operation/list-events.ts';
import { listRuns } from '../../src/gate/operation/list-runs.ts';
import { listWaiting } from '../../src/gate/operation/list-waiting.ts';
import { useRun } from '../../src/gate/operation/use-run.ts';
import { notices } from '../../src/gate/view/notices.ts';
import { gatePolicy } from '../../src/gate/run/policy.ts';
import { runSummary } from '../../src/gate/view/summary.ts';
import type { Application } from '../../src/kernel/application.ts';
import type { Context } from '../../src/kernel/context.ts';
import { invoke } from '../../src/kernel/invoke.ts';
import { journalQuery } from '../../src/kernel/store/journal.ts';
import type { Recorded, Store } from '../../src/kernel/store/store.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { byHand } from '../setup/by-hand.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

const note = `process: { id: note, version: "1", name: Note, initial_state: write }
states:
  - { name: write, prompt: Write it., required_artifacts: [note], tool_permissions: { denied: [hammer] } }
  - { name: review }
  - { name: done, is_final: true }
artifacts: [{ type: note }]
events:
  - { name: submit, allowed_roles: [agent] }
  - { name: say, allowed_roles: [agent] }
  - { name: approve, allowed_roles: [reviewer] }
  - { name: reject, allowed_roles: [reviewer] }
transitions:
  - { from: write, event: submit, to: review, guard: has_note }
  - { from: write, event: say, to: write }
  - { from: review, event: approve, to: done, guard: approved }
  - { from: review, event: reject, to: write }
guards:
  has_note: { type: artifact, artifact_type: note, condition: exists }
  approved: { type: approval, role: reviewer }
roles:
  - { name: agent }
  - { name: reviewer, can_approve: true, can_reject: true }
`;

describe.each(databases)('abort_run (%s)', (database) => {
  let bench: Bench;
  let agent: Context;
  let person: Context;
  let keys = 0;
  const app = { policy: gatePolicy, toolsets: ['gate'] } as unknown as Application;

  beforeAll(async () => {
    bench = await makeBench(database);
    writeFileSync(join(bench.project, '.sekisho/processes/note.yaml'), note);
    writeFileSync(join(bench.project, 'note.md'), 'A note.\n');
    agent = await bench.context();
    person = await bench.context('human');
  });
  afterAll(() => bench.close());

  const begin = async () => (await createRun.run(agent, { process_id: 'note' })).run_id;
  const emit = (run: string, event: string, revision: number, context = agent) =>
    emitEvent.run(context, {
      run_id: run,
      event_name: event,
      expected_revision: revision,
      idempotency_key: `k${(keys += 1)}`,
      ...(event === 'submit' && { artifact_paths: ['note.md'] }),
    });
  const waiting = async () => {
    const run = await begin();
    await emit(run, 'submit', 0);
    return run;
  };
  const abort = (run: string, reason = 'not needed any more', context = person) =>
    abortRun.run(context, { run_id: run, reason });
  const refused = { code: 'INVALID_EVENT', params: { aborted: { by: 'os:me', reason: 'not needed any more' } } };

  /** Something happens between this one's last look at the store and its commit. */
  function overtaken(context: Context, meanwhile: () => Promise<unknown>): Context {
    let isFirst = true;
    const store: Store = {
      ...context.store,
      async commit(...batch) {
        if (isFirst) {
          isFirst = false;
          await meanwhile();
        }
        return context.store.commit(...batch);
      },
    };
    return { ...context, store };
  }

  test('ends an open run where it is: final, never completed, with who, when and why', async () => {
    const run = await waiting();
    const answer = await abort(run);
    const aborted = { by: 'os:me', since: expect.any(String) as string, reason: 'not needed any more' };
    expect(answer).toEqual({ run_id: run, current_state: 'review', revision: 2, aborted, already: false });
    const ended = { is_final: true, status: 'aborted', revision: 2, current_state: 'review' };
    expect(await getState.run(agent, { run_id: run })).toMatchObject({ ...ended, aborted, allowed_events: [] });
    const described = await describeRun.run(person, { run_id: run });
    expect(described).toMatchObject({ ...ended, aborted, ways: [], answers: [], missing: [] });
    expect(described.visits.at(-1)).toMatchObject({ state: 'review', left_at: answer.aborted.since });
    const { runs } = await listRuns.run(agent, { limit: 1 });
    expect(runs[0]).toMatchObject({ run_id: run, ...ended });
    expect(await listRuns.run(agent, { limit: 50, open: true })).toEqual({ runs: [] });
    expect(await runSummary.read(agent, { run_id: run })).toMatchObject({
      status: 'aborted',
      progress: { completed_states: ['write'], current_state: 'review', remaining_states: [] },
    });
    expect((await runSummary.list(agent, undefined)).entries[0]?.description).toBe('note: review (aborted)');
    const { events } = await getHistory.run(agent, { run_id: run, limit: 50 });
    expect(events.at(-1)).toMatchObject({
      event_name: 'abort_run',
      revision: 2,
      from_state: 'review',
      to_state: 'review',
      actor: 'os:me',
      payload: { reason: 'not needed any more' },
      at: answer.aborted.since,
    });
    const [[entry] = []] = await agent.store.read([journalQuery({ subject: run, limit: 1 })]);
    expect(entry).toMatchObject({ kind: 'run.aborted', actor: expect.stringContaining('os:me') as string });
    expect(JSON.parse(String(entry?.['data']))).toMatchObject({ reason: 'not needed any more', state: 'review' });
    expect(runSummary.changed(entry as unknown as Recorded)).toEqual({
      uris: [`stategate://runs/${run}/summary`],
      list: true,
    });
  });

  test('asks for nothing more in the state that it left: no prompt, no file, no tool is closed', async () => {
    const run = await begin();
    expect(await getState.run(agent, { run_id: run })).toMatchObject({
      status: 'open',
      aborted: null,
      current_state_prompt: 'Write it.',
      required_artifacts: [{ type: 'note' }],
      tool_permissions: { denied: ['hammer'] },
    });
    await abort(run);
    expect(await getState.run(agent, { run_id: run })).toMatchObject({
      current_state_prompt: null,
      required_artifacts: [],
      tool_permissions: null,
      missing_guards: [],
      waits_for_person: null,
    });
    expect(await describeRun.run(person, { run_id: run })).toMatchObject({
      required_artifacts: [],
      tool_permissions: null,
    });
  });

  test('leaves a completed run as it is', async () => {
    const run = await waiting();
    await approve.run(person, { run_id: run });
    expect(await getState.run(agent, { run_id: run })).toMatchObject({ status: 'completed', aborted: null });
    await expect(abort(run)).rejects.toMatchObject({ code: 'RUN_COMPLETED', details: { current_state: 'done' } });
    expect(await getState.run(agent, { run_id: run })).toMatchObject({ status: 'completed', revision: 2 });
  });

  test('takes the run out of the inbox, and every answer and event is refused with who and why', async () => {
    const run = await waiting();
    const waits = async () => (await listWaiting.run(person, { limit: 50 })).waiting.map((one) => one.run_id);
    expect(await waits()).toContain(run);
    await abort(run);
    expect(await waits()).not.toContain(run);
    const [[entry] = []] = await agent.store.read([journalQuery({ subject: run, kinds: ['run.event'], limit: 1 })]);
    expect(await notices(person, entry as unknown as Recorded)).toEqual([]);
    await expect(emit(run, 'say', 2)).rejects.toMatchObject({
      ...refused,
      details: { possible_events: [], aborted: { by: 'os:me', reason: 'not needed any more' } },
    });
    await expect(emit(run, 'unknown', 0)).rejects.toMatchObject(refused);
    await expect(approve.run(person, { run_id: run })).rejects.toMatchObject(refused);
    await expect(approve.confirm?.(person, { run_id: run })).rejects.toMatchObject(refused);
    const { events } = await listEvents.run(agent, { run_id: run, include_blocked: true });
    expect(events.length).toBe(4);
    for (const event of events)
      expect(event).toMatchObject({
        is_allowed: false,
        blocked_reason: 'The run was aborted by os:me: "not needed any more"',
      });
    const problem = await emit(run, 'say', 2).catch((error: unknown) => error as { in(lang: string): string });
    const say = 'in' in problem ? problem.in : () => '';
    expect(say.call(problem, 'en')).toMatch(/^The run was aborted by os:me: "not needed any more"\./);
    expect(say.call(problem, 'ja')).toContain('os:me が中止しました:「not needed any more」');
  });

  test('binds nobody any more, and the next run becomes the current one', async () => {
    const run = await begin();
    await useRun.run(person, { run_id: run });
    const bound = async () => (await readBoundRuns(agent.store, agent.project, holdersOf(agent))).map((one) => one.id);
    expect(await bound()).toEqual([run]);
    expect(await gatePolicy.check(agent, 'hammer')).toMatchObject({ code: 'FORBIDDEN' });
    await abort(run);
    expect(await bound()).toEqual([]);
    expect(await gatePolicy.check(agent, 'hammer')).toBeUndefined();
    const next = await begin();
    expect(await bound()).toEqual([next]);
    await abort(next);
  });

  test('is a person’s: an agent is told which command to ask for, and nothing is recorded', async () => {
    const run = await begin();
    const answer = await invoke(app, agent, abortRun, { run_id: run, reason: 'I would rather not' });
    expect(answer).toMatchObject({ ok: false, problem: { code: 'FORBIDDEN' } });
    if (!answer.ok) {
      expect(answer.problem.in('en')).toContain('Ask a person');
      for (const lang of ['en', 'ja'] as const)
        expect(answer.problem.in(lang)).toContain('sekisho abort <run> --reason "…"');
    }
    expect(await getState.run(agent, { run_id: run })).toMatchObject({ status: 'open', revision: 0 });
    await abort(run);
  });

  test('wants a reason, and a run of this project', async () => {
    const run = await begin();
    for (const input of [{ run_id: run }, { run_id: run, reason: '' }, { run_id: run, reason: ' \n' }])
      expect(await invoke(app, person, abortRun, input)).toMatchObject({
        ok: false,
        problem: { code: 'VALIDATION_ERROR', details: { validation_errors: [{ path: '/reason' }] } },
      });
    await expect(abort('run-none')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    const elsewhere = { ...person, project: { ...person.project, key: 'another' } };
    await expect(abort(run, 'why', elsewhere)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    expect(await getState.run(agent, { run_id: run })).toMatchObject({ status: 'open' });
    await abort(run);
  });

  test('is done once: a second abort says who was first', async () => {
    const run = await begin();
    const first = await abort(run);
    const second = { ...person, actor: { ...person.actor, id: 'os:ann' } };
    expect(await abort(run, 'another reason', second)).toEqual({ ...first, already: true });
    const { events } = await getHistory.run(agent, { run_id: run, limit: 50 });
    expect(events.map((one) => one.event_name)).toEqual(['abort_run']);
    const both = await begin();
    const answers = await Promise.all([abort(both), abort(both, 'no', second)]);
    expect(answers.map((one) => one.already).toSorted()).toEqual([false, true]);
    expect(answers[0]?.aborted).toEqual(answers[1]?.aborted);
  });

  test('of an event and an abort at once the later one sees the earlier one', async () => {
    const late = await begin();
    await expect(
      emit(
        late,
        'say',
        0,
        overtaken(agent, () => abort(late)),
      ),
    ).rejects.toMatchObject(refused);
    const early = await begin();
    const answer = await abort(
      early,
      'after the event',
      overtaken(person, () => emit(early, 'say', 0)),
    );
    expect(answer).toMatchObject({ revision: 2, already: false });
    const ending = await waiting();
    const over = overtaken(person, () => approve.run(person, { run_id: ending }));
    await expect(abort(ending, 'too late', over)).rejects.toMatchObject({ code: 'RUN_COMPLETED' });
    for (let turn = 0; turn < 10; turn += 1) {
      const run = await begin();
      const [said] = await Promise.allSettled([emit(run, 'say', 0), abort(run)]);
      if (said.status === 'rejected')
        expect(['REVISION_CONFLICT', 'INVALID_EVENT']).toContain((said.reason as { code: string }).code);
      const { events } = await getHistory.run(agent, { run_id: run, limit: 50 });
      const names = said.status === 'fulfilled' ? ['say', 'abort_run'] : ['abort_run'];
      expect(events.map((one) => one.event_name)).toEqual(names);
      expect(await getState.run(agent, { run_id: run })).toMatchObject({ status: 'aborted', revision: names.length });
    }
  });

  test('is in the journal: whoever changes by hand that or why a run was aborted is found', async () => {
    const run = await begin();
    await abort(run);
    expect((await verifyStore(agent.store, tables)).faults).toEqual([]);
    await byHand(agent.database, `update run set aborted = null where id = '${run}'`);
    expect((await verifyStore(agent.store, tables)).faults).toMatchObject([
      { table: 'run', key: [run], damage: 'changed' },
    ]);
  });
});
