import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkExpression, evaluateExpression } from '../../src/gate/definition/expression.ts';
import { readDefinition } from '../../src/gate/definition/file.ts';
import { validateJson } from '../../src/gate/definition/json-schema.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { emit } from '../../src/gate/run/emit.ts';
import type { Context } from '../../src/kernel/context.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { row } from '../setup/security.ts';
import type { Say } from '../../src/kernel/text/text.ts';
import { cpuSecondsOf } from '../setup/cpu.ts';

let bench: Bench;
let context: Context;

beforeAll(async () => {
  bench = await makeBench('sqlite');
  context = await bench.context();
});
afterAll(() => bench.close());

let made = 0;

function define(body: object): string {
  const id = `p${++made}`;
  const path = join(bench.project, `.sekisho/processes/${id}.yaml`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ version: '1', initial_state: 'a', ...body, id }));
  return id;
}

const base = {
  states: [{ name: 'a' }, { name: 'z', is_final: true }],
  events: [{ name: 'go' }],
  transitions: [{ from: 'a', event: 'go', to: 'z', guard: 'g' }],
};

async function start(id: string, values: Record<string, unknown> = {}, by = context): Promise<string> {
  return (await createRun.run(by, { process_id: id, context: values })).run_id;
}

async function tryTo<T>(work: () => Promise<T>): Promise<Record<string, any>> {
  try {
    return (await work()) as Record<string, any>;
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, ...error.details };
    throw error;
  }
}

const go = (runId: string, payload: object = {}, paths: readonly string[] = [], expectedRevision = 0) =>
  tryTo(async () => {
    const request = { runId, event: 'go', payload: { ...payload }, expectedRevision, key: context.newId('k'), paths };
    return (await emit(context, request)).result;
  });

function codes(text: string | object): readonly string[] {
  const { findings } = readDefinition('p.yaml', typeof text === 'string' ? text : JSON.stringify(text));
  return findings.map((one) => `${one.severity} ${one.code}`);
}

const whole = { id: 'p', version: '1', initial_state: 'a', ...base };

const say: Say = (sentence) => sentence('en');
const reasonOf = (result: ReturnType<typeof evaluateExpression>) =>
  typeof result === 'function' ? say(result) : String(result);

describe('what takes time', () => {
  test(`${row('evidence.slow')} a pattern that would backtrack for ever answers at once`, () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    const taken = cpuSecondsOf(() => {
      expect(validateJson(schema, 'a'.repeat(50_000), say)).toEqual([]);
      expect(validateJson(schema, `${'a'.repeat(50_000)}!`, say)).toHaveLength(1);
      expect(validateJson({ patternProperties: { '^(x+x+)+y': false } }, { ['x'.repeat(5000)]: 1 }, say)).toEqual([]);
    });
    expect(taken).toBeLessThan(30);
  });

  test.each(['^(?=a)b', '(a)\\1', '(?<!a)b'])('the pattern %s is an error of the definition', (pattern) => {
    const events = [{ name: 'go', payload_schema: { type: 'object', properties: { x: { type: 'string', pattern } } } }];
    const { findings, definition } = readDefinition('p', JSON.stringify({ ...whole, events, guards: {} }));
    expect(definition).toBeUndefined();
    expect(findings.find((one) => one.code === 'BAD_SCHEMA')?.remedy('en')).toContain('RE2');
  });

  test(`${row('evidence.slow')} loops inside of loops are limited by what they go over`, () => {
    const text = 'context.list.all(a, context.list.all(b, a == b || a != b))';
    expect(checkExpression(text)).toBeUndefined();
    const evidence = (size: number) => ({
      context: { list: Array.from({ length: size }, (_, n) => n) },
      artifacts: [],
    });
    expect(evaluateExpression(text, evidence(50))).toBe(true);
    const taken = cpuSecondsOf(() => {
      expect(reasonOf(evaluateExpression(text, evidence(20_000)))).toContain('steps');
      expect(reasonOf(evaluateExpression('context.list.all(a, a in context.list)', evidence(20_000)))).toContain(
        'steps',
      );
      expect(evaluateExpression('context.list.all(a, a >= 0)', evidence(10_000))).toBe(true);
    });
    expect(taken).toBeLessThan(20);
    const deep = ['a', 'b', 'c', 'd'].reduceRight((inner, name) => `context.list.all(${name}, ${inner})`, 'true');
    expect(checkExpression(deep)).toContain('more than 3 times');
    const doubling = ['a', 'b', 'c', 'd'].reduceRight((inner, name) => `cel.bind(${name}, [1], ${inner})`, 'true');
    expect(checkExpression(doubling)).toContain('more than 3 times');
  });
});

describe('what an agent may set', () => {
  const guards = { g: { type: 'context', variable: 'approved', condition: 'equals', value: true } };

  test(`${row('evidence.context')} create_run sets what a guard reads only where it is listed, or for a person`, async () => {
    const closed = define({ ...base, guards });
    const refused = await tryTo(() =>
      createRun.run(context, { process_id: closed, context: { approved: true, x: 1 } }),
    );
    expect(refused).toMatchObject({ code: 'INVALID_PAYLOAD', validation_errors: [{ path: '/context/approved' }] });
    const person = await bench.context('human');
    expect(await go(await start(closed, { approved: true }, person))).toMatchObject({ moved: true });
    const open = define({ ...base, guards, inputs: ['approved'] });
    expect(await go(await start(open, { approved: true }))).toMatchObject({ moved: true });
  });

  test('a key that is not merged is named, and the guard that misses it says so', async () => {
    const run = await start(define({ ...base, guards }));
    const refused = await go(run, { approved: true });
    expect(refused['missing_guards'][0]).toContain('the key "approved" of the payload was not merged');
    const narrow = define({
      ...base,
      guards: { g: { type: 'context', variable: 'x', condition: 'exists' } },
      events: [{ name: 'go', context: ['x'] }],
    });
    const answer = await go(await start(narrow), { x: 1, y: 2 });
    expect(answer['ignored_keys']).toEqual([{ key: 'y', reason: expect.stringContaining('takes other keys only') }]);
    const none = define({
      ...base,
      transitions: [{ from: 'a', event: 'go', to: 'z' }],
      events: [{ name: 'go', context: false }],
    });
    expect((await go(await start(none), { y: 2 }))['ignored_keys'][0].reason).toContain('context: false');
    expect(
      await go(await start(define({ ...base, transitions: [{ from: 'a', event: 'go', to: 'z' }] })), { y: 2 }),
    ).not.toHaveProperty('ignored_keys');
  });

  test('an event that moved nothing says so, and what is missing', async () => {
    const run = await start(
      define({
        ...base,
        guards: { g: { type: 'artifact', artifact_type: 't', condition: 'count', min_count: 2 } },
        artifacts: [{ type: 't', path: '*.md' }],
      }),
    );
    writeFileSync(join(bench.project, 'one.md'), 'x');
    const answer = await go(run, { note: 1 }, ['one.md']);
    expect(answer).toMatchObject({ accepted: true, moved: false });
    expect(answer['missing_guards']).toEqual([expect.stringContaining('g: not enough artifacts')]);
    expect(answer['ignored_keys'][0].reason).toContain('no transition happened');
  });

  test('a payload that is nested without end is refused', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 3000; level++) deep = [deep];
    expect(await go(await start(define({ ...base, guards })), { deep })).toMatchObject({ code: 'INVALID_PAYLOAD' });
  });

  test.each([
    ['equals', undefined, false],
    ['not_equals', undefined, false],
    ['in', undefined, false],
    ['not_in', undefined, false],
    ['exists', undefined, false],
    ['not_exists', undefined, true],
    ['exists', null, true],
    ['not_exists', null, false],
    ['not_equals', null, true],
    ['not_in', null, true],
  ])('%s of %s holds: %s', async (condition, value, holds) => {
    const list = condition.endsWith('in');
    const compared = condition.endsWith('exists') ? {} : { value: list ? ['x'] : 'x' };
    const id = define({
      ...base,
      inputs: ['v'],
      guards: { g: { type: 'context', variable: 'v', condition, ...compared } },
    });
    const answer = await go(await start(id, value === undefined ? {} : { v: value }));
    expect(answer['code'] === undefined).toBe(holds);
  });
});

describe('lint', () => {
  test('definitions of the reference implementation load, with a warning where they differ', async () => {
    const text = {
      ...whole,
      states: [{ name: 'a' }, { name: 'z', is_terminal: true }],
      transitions: [...base.transitions, { from: 'z', event: 'go', to: 'a' }],
      guards: { g: { type: 'artifact', artifact_type: 't', condition: 'count', min_count: 0 } },
      artifacts: [{ type: 't', required_in_states: ['a'] }],
    };
    expect(codes(text).toSorted()).toEqual([
      'warning COMPATIBLE',
      'warning COMPATIBLE',
      'warning COMPATIBLE',
      'warning LEAVES_FINAL_STATE',
    ]);
    const { definition } = readDefinition('p', JSON.stringify(text));
    expect(definition?.states[0]?.required_artifacts).toEqual([{ type: 't' }]);
    const run = await start(define(text));
    expect(await go(run)).toMatchObject({ moved: true, is_final: true });
    expect(await go(run, {}, [], 1)).toMatchObject({ code: 'INVALID_EVENT' });
  });

  test('errors of form and of meaning come together, at the place where they stand', () => {
    const text = `id: p
version: "1"
initial_state: nowhere
states: [{ name: a, promt: x }, { name: z, is_final: true }]
events: [{ name: go }]
transitions:
  - { from: a, event: go }
  - { from: a, event: go, to: moon }
  - { from: a, event: leap, to: z }
`;
    const { findings } = readDefinition('p.yaml', text);
    const errors = findings.filter((one) => one.severity === 'error').map((one) => `${one.line} ${one.code}`);
    expect(errors).toEqual(
      expect.arrayContaining([
        '3 UNKNOWN_STATE',
        '4 UNKNOWN_FIELD',
        '7 MISSING_FIELD',
        '8 UNKNOWN_STATE',
        '9 UNKNOWN_EVENT',
      ]),
    );
  });

  test('an empty file, and one with several documents, are told in plain words', () => {
    expect(readDefinition('p', '').findings[0]?.message('en')).toBe('The file is empty.');
    const several = readDefinition('p', 'id: a\n---\nid: b\n').findings[0];
    expect(`${several?.message('en')} ${several?.remedy('en')}`).not.toContain('parseAllDocuments');
  });

  test('a state that denies editing needs a look at the files on its way out', () => {
    const states = [
      { name: 'a', tool_permissions: { denied: ['Edit'] } },
      { name: 'z', is_final: true },
    ];
    const guarded = (guard: object) => codes({ ...whole, states, guards: { g: guard } });
    expect(guarded({ type: 'watched' })).toEqual(['warning UNWATCHED_STATE']);
    expect(guarded({ type: 'all', guards: [{ type: 'worktree', unchanged: ['**'] }] })).toEqual([]);
    const only = [
      { name: 'a', tool_permissions: { allowed: ['Read'] } },
      { name: 'z', is_final: true },
    ];
    expect(codes({ ...whole, states: only, guards: { g: { type: 'watched' } } })).toEqual(['warning UNWATCHED_STATE']);
  });

  test('a guard that reads what nothing declares is told of', () => {
    expect(codes({ ...whole, guards: { g: { type: 'context', variable: 'v', condition: 'exists' } } })).toEqual([
      'warning UNDECLARED_KEY',
    ]);
  });

  test('the example with every word of the language has no error', () => {
    const text = readFileSync(join(import.meta.dirname, '../fixtures/example.yaml'), 'utf8');
    expect(readDefinition('example', text).findings.filter((one) => one.severity === 'error')).toEqual([]);
  });
});
