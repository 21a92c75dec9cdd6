import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import type { Context } from '../../src/kernel/context.ts';
import { getPhaseContext } from '../../src/phase/operation/get-phase-context.ts';
import { restartPhases } from '../../src/phase/operation/restart-phases.ts';
import { savePhaseResult } from '../../src/phase/operation/save-phase-result.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

describe.each(databases)('a checkpoint on %s', (database) => {
  let bench: Bench;
  /** Of a server that was started before the plan was changed, and of one that was started since. */
  let before: Context;
  let since: Context;
  beforeAll(async () => {
    bench = await makeBench(database);
    before = await withPlan('[one, two]');
    since = await withPlan('[one, between, two]');
  });
  afterAll(async () => {
    expect((await verifyStore(since.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  async function withPlan(list: string): Promise<Context> {
    writeFileSync(join(bench.project, '.sekisho/config.yaml'), `phases: { list: ${list} }\n`);
    await bench.trustConfiguration();
    return bench.context();
  }

  const look = async (context: Context, projectPath: string) =>
    (await getPhaseContext.run(context, { phase: 'one', projectPath, includeResults: true, limit: 50 })).context;

  test('that is saved while a server with another plan begins anew is there afterwards', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const projectPath = `/nowhere/${database}-${turn}`;
      await look(before, projectPath);
      const result = { checkpoint: `turn ${turn}`, data: { turn } };
      await Promise.all([savePhaseResult.run(before, { phase: 'one', result, projectPath }), look(since, projectPath)]);
      expect(await look(since, projectPath)).toMatchObject({ result, checkpoints: [result] });
    }
  });

  test('is asked about before the phases begin anew', async () => {
    const projectPath = `/nowhere/${database}-asked`;
    await look(before, projectPath);
    expect(await restartPhases.confirm?.(before, { projectPath })).toBeUndefined();
    await savePhaseResult.run(before, { phase: 'one', result: { checkpoint: 'half', data: {} }, projectPath });
    const question = await restartPhases.confirm?.(before, { projectPath });
    expect(question?.text).toBe('one in progress');
  });

  test('that is saved after a server with another plan has looked keeps its run', async () => {
    const projectPath = `/nowhere/${database}-late`;
    await look(before, projectPath);
    const result = { checkpoint: 'late', data: {} };
    let looked = false;
    const store: Context['store'] = {
      ...since.store,
      async read(queries) {
        const found = await since.store.read(queries);
        if (looked) return found;
        looked = true;
        await savePhaseResult.run(before, { phase: 'one', result, projectPath });
        return found;
      },
    };
    expect(await look({ ...since, store }, projectPath)).toMatchObject({ result, checkpoints: [result] });
  });
});
