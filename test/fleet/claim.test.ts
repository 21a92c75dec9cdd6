import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAgent } from '../../src/fleet/agent-rows.ts';
import { fleetContext } from '../../src/fleet/fleet-context.ts';
import { claimAgent } from '../../src/fleet/host/claim.ts';
import type { Spec } from '../../src/fleet/host/spec.ts';
import { agentIdFor, insertAgent } from '../../src/fleet/plan/insert-agent.ts';
import { settle } from '../../src/fleet/plan/settle.ts';
import type { Context } from '../../src/kernel/context.ts';
import { entry } from '../../src/kernel/store/journal.ts';
import { requires } from '../e2e/requirements.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

const statement = { sql: `delete from fleet_agent where id = 'victim'`, args: {} };

/** What a row may hold: of a build that kept statements, or of somebody who writes to the table. */
const foreign = [
  { leaseMs: 1, start: [statement], beat: [statement], end: [statement] },
  { leaseMs: 1, start: statement, beat: statement, end: statement },
  ...[statement.sql, 'work.of-tomorrow'].map((callback) => {
    const call = { callback, params: statement };
    return { leaseMs: 1, start: call, beat: call, end: call };
  }),
  { leaseMs: 1 },
];

describe.each(databases)('on %s', (database) => {
  let bench: Bench;
  let context: Context;
  beforeAll(async () => {
    bench = await makeBench(database);
    context = await bench.context();
  });
  afterAll(async () => bench.close());

  // Ids of one second differ in four digits.
  const taken = new Set<string>();
  const freshId = () => {
    const id = agentIdFor(context, 'r', taken);
    taken.add(id);
    return id;
  };

  const add = async (id: string, callbacks: unknown) => {
    const spec = {
      permissions: 'full',
      toolsets: [],
      actorRole: 'agent',
      sandbox: { mode: 'off', allow: [] },
      place: context.project,
      command: ['true'],
      ...(callbacks !== undefined && { callbacks }),
    } as unknown as Spec;
    const agent = { id, group: null, plan: null, stage: 0, role: 'r', cli: 'command', model: 'default', prompt: '' };
    const at = context.now().toISOString();
    const write = insertAgent(context, { ...agent, folder: '/', timeoutMs: 1000, started: true, spec, at });
    await context.store.commit([write], [entry(context, id, 'agent.created', {})]);
  };

  test(requires('fleet.host.no-sql'), async () => {
    await add('victim', undefined);
    for (const callbacks of foreign) {
      const id = freshId();
      await add(id, callbacks);
      expect(await claimAgent(fleetContext(context), id)).toBeUndefined();
      const row = await readAgent(context, id);
      expect(row).toMatchObject({ status: 'failed', host: null });
      expect(JSON.parse(String(row?.['automatic'])).errorMessage).toContain('another version');
    }
    // The host of such a row was another build's, and died: whoever looks ends it, and everybody else goes on.
    const dead = freshId();
    await add(dead, undefined);
    expect(await claimAgent(fleetContext(context), dead)).toBeDefined();
    const [row] =
      (await context.store.read([{ sql: 'select spec from fleet_agent where id = :id', args: { id: dead } }]))[0] ?? [];
    await context.store.commit(
      [
        {
          sql: 'update fleet_agent set spec = :spec, host_pid = 1, host_start = :never where id = :id',
          args: {
            id: dead,
            never: 'never',
            spec: JSON.stringify({ ...JSON.parse(String(row?.['spec'])), callbacks: foreign[0] }),
          },
        },
      ],
      [entry(context, dead, 'agent.changed', {})],
    );
    await settle(fleetContext(context));
    expect(await readAgent(context, dead)).toMatchObject({ status: 'failed', reaped: 1 });
    expect(await readAgent(context, 'victim')).toMatchObject({ id: 'victim' });
  });
});
