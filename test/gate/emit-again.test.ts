import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { emitEvent } from '../../src/gate/operation/emit-event.ts';
import { useRun } from '../../src/gate/operation/use-run.ts';
import { gatePolicy } from '../../src/gate/run/policy.ts';
import { tables } from '../../src/app/tables.ts';
import type { Application } from '../../src/kernel/application.ts';
import type { Context } from '../../src/kernel/context.ts';
import { invoke } from '../../src/kernel/invoke.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

const definitions = {
  door: `process: { id: door, version: "1", name: Door, initial_state: shut, initial_context: { n: 0 } }
states:
  - { name: shut, tool_permissions: { denied: [hammer] } }
  - { name: open }
  - { name: gone, is_final: true }
events:
  - { name: turn, payload_schema: { type: object } }
  - { name: leave }
  - { name: count, payload_schema: { type: object, properties: { n: {} } } }
transitions:
  - { from: shut, event: turn, to: open }
  - { from: open, event: turn, to: shut }
  - { from: open, event: count, to: shut, guard: counted }
  - { from: open, event: leave, to: gone }
guards:
  counted: { type: context, variable: n, condition: exists }
`,
  sized: `process: { id: sized, version: "1", name: Sized, initial_state: first }
states: [{ name: first }, { name: second }, { name: third, is_final: true }]
events:
  - { name: measure, payload_schema: { type: object, properties: { size: {} } } }
  - { name: go }
transitions:
  - { from: first, event: measure, to: second }
  - { from: second, event: go, to: third, guard: measured }
guards:
  measured: { type: context, variable: size, condition: not_equals, value: null }
`,
  // In its second state nobody may emit anything.
  trap: `process: { id: trap, version: "1", name: Trap, initial_state: before }
states:
  - { name: before }
  - { name: inside, tool_permissions: { denied: ["state_gate.emit_event"] } }
  - { name: after, is_final: true }
events: [{ name: fall }, { name: climb }]
transitions:
  - { from: before, event: fall, to: inside }
  - { from: inside, event: climb, to: after }
`,
};

/** One of several processes on the same store. */
interface Process {
  readonly context: Context;
  emit(
    run: string | undefined,
    revision: number,
    more?: object,
  ): Promise<{ code: string; output: Record<string, unknown> }>;
}

describe.each(databases)('one event after the other (%s)', (database) => {
  let bench: Bench;
  let one: Process;
  let other: Process;
  let keys = 0;

  beforeAll(async () => {
    bench = await makeBench(database);
    mkdirSync(join(bench.project, '.sekisho/processes'), { recursive: true });
    for (const [name, text] of Object.entries(definitions))
      writeFileSync(join(bench.project, `.sekisho/processes/${name}.yaml`), text);
  });
  beforeEach(async () => {
    [one, other] = [await start(), await start()];
  });
  afterAll(async () => {
    expect((await verifyStore((await bench.context()).store, tables)).faults).toEqual([]);
    await bench.close();
  });

  async function start(): Promise<Process> {
    const context = await bench.context();
    const app = { policy: gatePolicy, toolsets: ['gate'] } as unknown as Application;
    return {
      context,
      async emit(run, revision, more = {}) {
        const input = {
          run_id: run,
          event_name: 'turn',
          expected_revision: revision,
          idempotency_key: `k${(keys += 1)}`,
        };
        const answer = await invoke(app, context, emitEvent, { ...input, ...more });
        if (answer.ok) {
          const { code } = answer.output;
          return { code: typeof code === 'string' ? code : 'done', output: answer.output };
        }
        return { code: answer.problem.code, output: { ...answer.problem.details } };
      },
    };
  }

  const begin = async (process = 'door') => (await createRun.run(one.context, { process_id: process })).run_id;
  const bind = async (run: string) => {
    const { actor } = one.context;
    await useRun.run({ ...one.context, actor: { ...actor, person: true } }, { run_id: run });
  };
  const stateOf = async (run: string) => {
    const [rows = []] = await one.context.store.read([
      { sql: 'select state, revision, context from run where id = :run', args: { run } },
    ]);
    return rows[0];
  };

  test('is told of what somebody else did in between, and goes on from there', async () => {
    const run = await begin();
    await one.emit(run, 0);
    expect((await other.emit(run, 1)).code).toBe('done');
    expect(await one.emit(run, 1)).toMatchObject({ code: 'REVISION_CONFLICT', output: { current_revision: 2 } });
    expect((await one.emit(run, 2)).code).toBe('done');
    expect((await one.emit(run, 3)).code).toBe('done');
    expect(await other.emit(run, 2)).toMatchObject({ code: 'REVISION_CONFLICT', output: { current_revision: 4 } });
    expect(await stateOf(run)).toMatchObject({ state: 'shut', revision: 4 });
  });

  test('has one winner at every revision', async () => {
    const run = await begin();
    const all = [one, other, await start(), await start()];
    for (let revision = 0; revision < 12; revision += 1) {
      const answers = await Promise.all(all.map((process) => process.emit(run, revision)));
      expect(answers.map(({ code }) => code).toSorted()).toEqual([
        'REVISION_CONFLICT',
        'REVISION_CONFLICT',
        'REVISION_CONFLICT',
        'done',
      ]);
    }
    expect(await stateOf(run)).toMatchObject({ revision: 12 });
  });

  test('is repeated by its key, by whoever asks, at whatever revision', async () => {
    const run = await begin();
    const first = await one.emit(run, 0, { idempotency_key: 'first' });
    await one.emit(run, 1);
    for (const [process, revision] of [
      [one, 0],
      [one, 2],
      [other, 0],
      [other, 2],
    ] as const) {
      const again = await process.emit(run, revision, { idempotency_key: 'first' });
      expect(again).toMatchObject({ code: 'IDEMPOTENT_REPLAY', output: { result: first.output['result'] } });
      const reused = await process.emit(run, revision, { idempotency_key: 'first', payload: { other: 1 } });
      expect(reused.code).toBe('INVALID_PAYLOAD');
    }
    expect(await stateOf(run)).toMatchObject({ revision: 2 });
    expect((await one.emit(run, 2)).code).toBe('done');
  });

  test('is refused by what is so now, not by what was', async () => {
    const run = await begin();
    await one.emit(run, 0);
    await one.emit(run, 1);
    // Shut: here nobody can leave. Somebody else opens it.
    expect((await one.emit(run, 2, { event_name: 'leave' })).code).toBe('INVALID_EVENT');
    await other.emit(run, 2);
    const late = await one.emit(run, 2, { event_name: 'leave' });
    expect(late).toMatchObject({ code: 'REVISION_CONFLICT', output: { current_revision: 3 } });
    expect((await one.emit(run, 3, { event_name: 'leave' })).code).toBe('done');
    expect((await one.emit(run, 4)).code).toBe('INVALID_EVENT');
    expect(await stateOf(run)).toMatchObject({ state: 'gone', revision: 4 });
  });

  test('sees the context as it was written, not as it was sent', async () => {
    const run = await begin();
    await one.emit(run, 0, { payload: { note: 'first' } });
    // JSON has no such number: it is written as nothing, and a guard must find it so.
    await one.emit(run, 1, { payload: { size: Number.POSITIVE_INFINITY } });
    await one.emit(run, 2, { payload: { note: 'third' } });
    expect(JSON.parse(String((await stateOf(run))?.['context']))).toEqual({ n: 0, note: 'third', size: null });
    const sized = await begin('sized');
    await one.emit(sized, 0, { event_name: 'measure', payload: { size: Number.POSITIVE_INFINITY } });
    expect((await one.emit(sized, 1, { event_name: 'go' })).code).toBe('GUARD_FAILED');
  });

  test('is not permitted where the run that binds has come to forbid it, by whomever', async () => {
    const run = await begin();
    const trap = await begin('trap');
    await bind(run);
    await one.emit(run, 0);
    await one.emit(run, 1);
    // Another run binds the project, by a definition that was not known to permit it. As yet it does.
    await bind(trap);
    expect((await one.emit(run, 2)).code).toBe('done');
    expect((await one.emit(run, 3)).code).toBe('done');
    expect((await other.emit(trap, 0, { event_name: 'fall' })).code).toBe('done');
    for (const event_name of ['turn', 'leave', 'nonsense'])
      expect(await one.emit(run, 4, { event_name })).toMatchObject({
        code: 'FORBIDDEN',
        output: { run_id: trap, current_state: 'inside' },
      });
    expect(await stateOf(run)).toMatchObject({ revision: 4 });
    expect(await stateOf(trap)).toMatchObject({ state: 'inside', revision: 1 });
    await bind(run);
    expect((await one.emit(run, 4)).code).toBe('done');
    expect((await one.emit(run, 5)).code).toBe('done');
  });

  test('may end in a state that forbids the next one', async () => {
    const trap = await begin('trap');
    await bind(trap);
    expect((await one.emit(trap, 0, { event_name: 'fall' })).code).toBe('done');
    expect((await one.emit(trap, 1, { event_name: 'climb' })).code).toBe('FORBIDDEN');
    expect(await stateOf(trap)).toMatchObject({ state: 'inside', revision: 1 });
    await bind(await begin());
  });

  test('is bound by nothing once the run that binds is over', async () => {
    const run = await begin();
    const over = await begin();
    await bind(over);
    await other.emit(over, 0);
    await one.emit(run, 0);
    await other.emit(over, 1, { event_name: 'leave' });
    expect((await one.emit(run, 1)).code).toBe('done');
    expect((await one.emit(run, 2)).code).toBe('done');
    await bind(await begin('trap'));
    expect((await one.emit(run, 3)).code).toBe('done');
    await bind(run);
  });

  test('is found nowhere by whoever has another project', async () => {
    const run = await begin();
    await one.emit(run, 0);
    const elsewhere = { ...one.context, project: { ...one.context.project, key: 'another' } };
    const app = { policy: gatePolicy, toolsets: ['gate'] } as unknown as Application;
    const input = { run_id: run, event_name: 'turn', expected_revision: 1, idempotency_key: 'elsewhere' };
    const answer = await invoke(app, elsewhere, emitEvent, input);
    expect(answer).toMatchObject({ ok: false, problem: { code: 'RUN_NOT_FOUND' } });
  });
});
