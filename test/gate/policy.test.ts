import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { emit } from '../../src/gate/run/emit.ts';
import { gatePolicy } from '../../src/gate/run/policy.ts';
import type { Context } from '../../src/kernel/context.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';
import { row } from '../setup/security.ts';

const definition = `process: { id: door, version: "1", name: Door, initial_state: shut }
states:
  - { name: shut, tool_permissions: { denied: [hammer] } }
  - { name: open }
  - { name: gone, is_final: true }
events: [{ name: turn }, { name: leave }]
transitions:
  - { from: shut, event: turn, to: open }
  - { from: open, event: turn, to: shut }
  - { from: open, event: leave, to: gone }
`;

describe.each(databases)('the policy of the gate (%s)', (database) => {
  let bench: Bench;
  let agent: Context;
  /** Another process, for all the store can tell. */
  let other: Context;

  beforeAll(async () => {
    bench = await makeBench(database);
    writeFileSync(join(bench.project, '.sekisho/processes/door.yaml'), definition);
    [agent, other] = [await bench.context(), await bench.context()];
  });
  afterAll(() => bench.close());

  const start = async () => (await createRun.run(agent, { process_id: 'door' })).run_id;
  const turn = (runId: string, revision: number, by = agent) =>
    emit(by, { runId, event: 'turn', expectedRevision: revision, key: `turn-${revision}`, payload: {}, paths: [] });

  test('follows the state that the run is in, whichever process moved it', async () => {
    const run = await start();
    const bound = { ...agent, runId: run };
    for (const _ of [1, 2]) expect((await gatePolicy.check(bound, 'hammer'))?.code).toBe('FORBIDDEN');
    await turn(run, 0, other);
    for (const _ of [1, 2]) expect(await gatePolicy.check(bound, 'hammer')).toBeUndefined();
    await turn(run, 1);
    expect((await gatePolicy.check(bound, 'hammer'))?.code).toBe('FORBIDDEN');
  });

  test(`${row('binding.named-run')} binds by what holds the caller, never by the name of a run`, async () => {
    const open = await start();
    await turn(open, 0);
    const shut = { ...agent, runId: 'run-none' };
    for (const _ of [1, 2]) {
      expect((await gatePolicy.check(shut, 'hammer'))?.code).toBe('FORBIDDEN');
      expect((await gatePolicy.check({ ...agent, runId: open }, 'hammer'))?.code).toBe('FORBIDDEN');
    }
  });

  test('tells the projects of one connection apart', async () => {
    await start();
    const there = { ...agent, project: { ...agent.project, key: 'another' } };
    for (const _ of [1, 2]) {
      expect((await gatePolicy.check(agent, 'hammer'))?.code).toBe('FORBIDDEN');
      expect(await gatePolicy.check(there, 'hammer')).toBeUndefined();
    }
  });
});
