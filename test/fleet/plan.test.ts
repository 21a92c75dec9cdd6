import { describe, expect, test } from 'vitest';
import { type Member, type StagePlan, planStages } from '../../src/fleet/plan/plan.ts';
import fc from '../setup/property.ts';

const done = (id: string): Member => ({ id, outcome: 'completed', reported: undefined });
const failed = (id: string): Member => ({ id, outcome: 'failed', reported: undefined });
const waiting = (id: string): Member => ({ id, outcome: undefined, reported: undefined });
const plan = (
  current: number,
  stages: readonly (readonly Member[])[],
  onFailure: StagePlan['onFailure'] = 'stop',
): StagePlan => ({ current, stages, onFailure });

describe('planStages', () => {
  test('waits while somebody of the current stage is at work', () => {
    expect(planStages(plan(0, [[done('a'), waiting('b')], [waiting('c')]]), 9)).toEqual({ kind: 'wait' });
  });

  test('starts the next stage when the current one is over', () => {
    expect(planStages(plan(0, [[done('a')], [waiting('b'), waiting('c')]]), 2)).toEqual({
      kind: 'start',
      stage: 1,
      agentIds: ['b', 'c'],
    });
  });

  test('waits for room', () => {
    expect(planStages(plan(0, [[done('a')], [waiting('b'), waiting('c')]]), 1)).toEqual({ kind: 'blocked', stage: 1 });
  });

  test('a failed agent ends the plan, and so does one that reported failure', () => {
    const reported: Member = { id: 'a', outcome: 'completed', reported: 'failure' };
    for (const first of [failed('a'), reported])
      expect(planStages(plan(0, [[first], [waiting('b')], [waiting('c')]]), 9)).toEqual({
        kind: 'stop',
        failedStage: 0,
        agentIds: ['b', 'c'],
      });
  });

  test('goes on after a failure where it is told to', () => {
    expect(planStages(plan(0, [[failed('a')], [waiting('b')]], 'continue'), 9)).toMatchObject({
      kind: 'start',
      stage: 1,
    });
  });

  test('a stage that was cancelled before it began is passed', () => {
    const cancelled: Member = { id: 'b', outcome: 'cancelled', reported: undefined };
    expect(planStages(plan(0, [[done('a')], [cancelled], [waiting('c')]], 'continue'), 9)).toMatchObject({ stage: 2 });
    expect(planStages(plan(0, [[done('a')], [cancelled], [waiting('c')]]), 9)).toMatchObject({
      kind: 'stop',
      failedStage: 1,
    });
  });

  test('is over after the last stage', () => {
    expect(planStages(plan(1, [[done('a')], [done('b')]]), 0)).toEqual({ kind: 'finish' });
  });

  test('always ends, whatever happens to the agents', () => {
    const outcome = fc.constantFrom('completed', 'failed', 'timedOut', 'cancelled');
    const shape = fc.array(fc.array(outcome, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(shape, fc.constantFrom<'stop' | 'continue'>('stop', 'continue'), (fates, onFailure) => {
        const stages: Member[][] = fates.map((stage, s) => stage.map((_, i) => waiting(`${s}.${i}`)));
        const end = (stage: number) =>
          (stages[stage] = stages[stage]!.map((one, i) => ({ ...one, outcome: fates[stage]![i] as 'failed' })));
        let current = 0;
        const started = [0];
        end(0);
        for (let step = 0; step < 20; step++) {
          const move = planStages({ current, stages, onFailure }, 3);
          if (move.kind === 'finish' || move.kind === 'stop') {
            const open = stages.flat().filter((one) => one.outcome === undefined);
            expect(open.map((one) => one.id)).toEqual(move.kind === 'stop' ? move.agentIds : []);
            return;
          }
          expect(move.kind).toBe('start');
          if (move.kind !== 'start') return;
          expect(started).not.toContain(move.stage);
          started.push(move.stage);
          current = move.stage;
          end(current);
        }
        throw new Error('it never ended');
      }),
    );
  });
});
