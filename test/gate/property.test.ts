import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emit } from '../../src/gate/run/emit.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { readRun } from '../../src/gate/run/runs.ts';
import type { Context } from '../../src/kernel/context.ts';
import { tables } from '../../src/app/tables.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { isProblem } from '../../src/kernel/problem.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';
import fc from '../setup/property.ts';

const runs = Number(process.env['SEKISHO_PROPERTY_RUNS'] ?? 60);
const races = Number(process.env['SEKISHO_RACES'] ?? 400);
const writers = 4;

const variables = ['x', 'y'] as const;
const values = [0, 1, 2] as const;

interface SmallTransition {
  from: number;
  event: number;
  to: number;
  guard: { variable: (typeof variables)[number]; value: (typeof values)[number] } | null;
}

interface Small {
  states: number;
  events: number;
  transitions: SmallTransition[];
}

/** A machine of a few states whose transitions may ask for a variable’s value. */
const machine: fc.Arbitrary<Small> = fc
  .integer({ min: 2, max: 5 })
  .chain((states) =>
    fc
      .integer({ min: 1, max: 4 })
      .chain((events) =>
        fc.record({
          states: fc.constant(states),
          events: fc.constant(events),
          transitions: fc.array(
            fc.record({
              from: fc.nat(states - 2),
              event: fc.nat(events - 1),
              to: fc.nat(states - 1),
              guard: fc.option(
                fc.record({ variable: fc.constantFrom(...variables), value: fc.constantFrom(...values) }),
              ),
            }),
            { minLength: 1, maxLength: 10 },
          ),
        }),
      ),
  );

const step = fc.record({
  event: fc.nat(4),
  payload: fc.dictionary(fc.constantFrom(...variables), fc.constantFrom(...values)),
  late: fc.boolean(),
});

function definitionOf(small: Small, id: string): string {
  return JSON.stringify({
    id,
    version: '1',
    initial_state: 's0',
    states: Array.from({ length: small.states }, (_, n) => ({ name: `s${n}`, is_final: n === small.states - 1 })),
    events: Array.from({ length: small.events }, (_, n) => ({
      name: `e${n}`,
      payload_schema: { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } },
    })),
    transitions: small.transitions.map((one) => ({
      from: `s${one.from}`,
      event: `e${one.event}`,
      to: `s${one.to}`,
      ...(one.guard !== null && {
        guard: { type: 'context', variable: one.guard.variable, condition: 'equals', value: one.guard.value },
      }),
    })),
  });
}

interface Model {
  state: number;
  revision: number;
  context: Record<string, number>;
}

/** The whole machine in a few lines, as a reader of the contract would write it down. */
function predict(
  small: Small,
  model: Model,
  one: { event: number; payload: Record<string, number> },
  revision: number,
): Model | string {
  if (one.event >= small.events) return 'INVALID_EVENT';
  const here = small.transitions.filter((t) => t.from === model.state && t.event === one.event);
  if (here.length === 0) return 'INVALID_EVENT';
  if (revision !== model.revision) return 'REVISION_CONFLICT';
  const context = { ...model.context, ...one.payload };
  const guarded = here.filter((t) => t.guard !== null).find((t) => context[t.guard!.variable] === t.guard!.value);
  const chosen = guarded ?? here.find((t) => t.guard === null);
  return chosen === undefined ? 'GUARD_FAILED' : { state: chosen.to, revision: model.revision + 1, context };
}

let serial = 0;

async function begin(bench: Bench, context: Context, small: Small): Promise<string> {
  const id = `m${++serial}`;
  writeFileSync(join(bench.project, '.sekisho/processes/machine.yaml'), definitionOf(small, id));
  return ((await createRun.run(context, { process_id: id })) as { run_id: string }).run_id;
}

async function attempt(
  context: Context,
  runId: string,
  event: string,
  payload: Record<string, number>,
  expectedRevision: number,
  key: string,
): Promise<string> {
  try {
    await emit(context, { runId, event, payload, expectedRevision, key, paths: [] });
    return 'accepted';
  } catch (error) {
    if (isProblem(error)) return error.code;
    throw error;
  }
}

describe.each(databases)('the machine on %s', (database) => {
  let bench: Bench;
  let contexts: Context[];
  beforeAll(async () => {
    bench = await makeBench(database);
    contexts = await Promise.all(Array.from({ length: writers }, () => bench.context()));
  });
  afterAll(async () => bench.close());

  test('random definitions driven by random events do what the plain model says', async () => {
    await fc.assert(
      fc.asyncProperty(machine, fc.array(step, { minLength: 1, maxLength: 15 }), async (small, steps) => {
        const [context] = contexts as [Context];
        const runId = await begin(bench, context, small);
        let model: Model = { state: 0, revision: 0, context: {} };
        for (const [index, one] of steps.entries()) {
          const revision = one.late ? model.revision + 1 : model.revision;
          const predicted = predict(small, model, one, revision);
          const outcome = await attempt(context, runId, `e${one.event}`, one.payload, revision, `k${index}`);
          expect(outcome).toBe(typeof predicted === 'string' ? predicted : 'accepted');
          if (typeof predicted !== 'string') model = predicted;
        }
        const { run } = await readRun(context, runId);
        expect({ state: run.state, revision: run.revision, context: run.context }).toEqual({
          ...model,
          state: `s${model.state}`,
        });
        expect((await verifyStore(context.store, tables)).faults).toEqual([]);
      }),
      { numRuns: runs },
    );
  });

  test(
    'of concurrent writers at one revision exactly one is accepted, and the model still agrees',
    { timeout: 300_000 + races * 50 },
    async () => {
      const small: Small = {
        states: 3,
        events: 2,
        transitions: [
          { from: 0, event: 0, to: 0, guard: null },
          { from: 0, event: 1, to: 1, guard: { variable: 'x', value: 2 } },
          { from: 1, event: 0, to: 0, guard: null },
        ],
      };
      const runId = await begin(bench, contexts[0]!, small);
      const model: Model = { state: 0, revision: 0, context: {} };
      for (let race = 0; race < races; race++) {
        const outcomes = await Promise.all(
          contexts.map((context, writer) =>
            attempt(context, runId, 'e0', { x: writer % 3, y: race }, model.revision, `race-${race}-${writer}`),
          ),
        );
        const winners = outcomes.flatMap((outcome, writer) => (outcome === 'accepted' ? [writer] : []));
        expect(winners).toHaveLength(1);
        expect(outcomes.filter((one) => one !== 'accepted')).toEqual(
          Array.from({ length: writers - 1 }, () => 'REVISION_CONFLICT'),
        );
        model.revision++;
        model.context = { x: winners[0]! % 3, y: race };
      }
      const { run } = await readRun(contexts[0]!, runId);
      expect({ revision: run.revision, context: run.context }).toEqual({
        revision: model.revision,
        context: model.context,
      });
      expect((await verifyStore(contexts[0]!.store, tables)).faults).toEqual([]);
    },
  );
});
