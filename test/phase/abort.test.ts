import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { abortRun } from '../../src/gate/operation/abort-run.ts';
import type { Context } from '../../src/kernel/context.ts';
import { getPhaseContext } from '../../src/phase/operation/get-phase-context.ts';
import { phaseStatus } from '../../src/phase/operation/phase-status.ts';
import { restartPhases } from '../../src/phase/operation/restart-phases.ts';
import { transitionToNextPhase } from '../../src/phase/operation/transition-to-next-phase.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

describe.each(databases)('phases whose run is aborted (%s)', (database) => {
  let bench: Bench;
  let person: Context;

  beforeAll(async () => {
    bench = await makeBench(database);
    writeFileSync(join(bench.project, '.sekisho/config.yaml'), 'phases: { list: [one, two] }\n');
    await bench.trustConfiguration();
    person = await bench.context('human');
  });
  afterAll(async () => {
    expect((await verifyStore(person.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  const complete = (currentPhase: string) =>
    transitionToNextPhase.run(person, { currentPhase, result: { status: 'completed' } });

  test('cannot be left until a person begins them anew', async () => {
    await complete('one');
    const { run_id } = await phaseStatus.run(person, {});
    await abortRun.run(person, { run_id, reason: 'the plan was wrong' });
    const told = await complete('two').catch((error: unknown) => error as { in(lang: string): string });
    expect(told).toMatchObject({ code: 'INVALID_PHASE_TRANSITION', params: { why: 'aborted' } });
    expect('in' in told && told.in('en')).toContain('was aborted');
    expect(await phaseStatus.run(person, {})).toMatchObject({
      run_id,
      status: 'aborted',
      current_phase: null,
      phases: [
        { phase: 'one', status: 'completed' },
        { phase: 'two', status: 'failed' },
      ],
      missing_guards: [],
    });
    const two = await getPhaseContext.run(person, { phase: 'two', includeResults: true, limit: 50 });
    expect(two.context).toMatchObject({ status: 'failed', completedAt: null });
    const again = await restartPhases.run(person, {});
    expect(again).toMatchObject({ previous_run_id: run_id, phase: 'one' });
    expect(await phaseStatus.run(person, {})).toMatchObject({ status: 'open', current_phase: 'one' });
    await complete('one');
    await complete('two');
    expect(await phaseStatus.run(person, {})).toMatchObject({ status: 'completed', current_phase: null });
  });
});
