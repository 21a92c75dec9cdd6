import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { byHand } from '../setup/by-hand.ts';
import { databases } from '../setup/databases.ts';
import { personToken } from '../setup/person.ts';
import { trustConfiguration } from '../setup/trust.ts';
import { requires } from './requirements.ts';
import { type World, inOneWorld } from './world.ts';
import { atTerminal } from './terminal.ts';
import { row } from '../setup/security.ts';

async function makeRun(world: World): Promise<string> {
  const definition = `id: chain\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: go }, { name: end }]
transitions: [{ from: a, event: go, to: a }, { from: a, event: end, to: b }]\nartifacts: [{ type: note, path: "*.md" }]\n`;
  world.write('.sekisho/processes/chain.yaml', definition);
  const run = (await world.call('state_gate.create_run', { process_id: 'chain' })).value['run_id'] as string;
  for (let n = 0; n < 3; n++) {
    const input = {
      run_id: run,
      event_name: 'go',
      payload: { n },
      expected_revision: n,
      idempotency_key: `k${n}`,
      artifact_paths: [world.write(`n${n}.md`, `${run} ${n}`)],
    };
    expect((await world.call('state_gate.emit_event', input)).isError).toBe(false);
  }
  return run;
}

const verify = async (world: World, ...more: string[]) => world.cli(['journal', 'verify', '--json', ...more]);

// Every kind of change is in test/contract/verify.ts.
describe.each(databases)('the chain on %s', (database) => {
  inOneWorld('stdio', database, (test) => {
    test(`${row('journal.rows')} ${requires('gate.verify')}`, async ({ world }) => {
      const run = await makeRun(world);
      const clean = await verify(world);
      expect(clean).toMatchObject({ code: 0, json: { ok: true, faults: [], fault_count: 0 } });
      await byHand(world.db, `update event set payload = '{"n":99}' where run_id = '${run}' and revision = 3`);
      const changed = { table: 'event', key: [run, 3], damage: 'changed' };
      expect(await verify(world)).toMatchObject({ code: 1, json: { ok: false, fault_count: 1, faults: [changed] } });
      const said = (await world.cli(['journal', 'verify'])).stdout;
      expect(said).toContain('Not as it was written');
      expect(said).toContain(`event ${run} 3 was changed`);
      await byHand(world.db, `update event set payload = '{"n":2}' where run_id = '${run}' and revision = 3`);
      expect(await verify(world)).toMatchObject({ code: 0, json: { ok: true } });
    });

    test(`${row('journal.rows')} a whole run that was taken away is named, row by row`, async ({ world }) => {
      const run = await makeRun(world);
      const own = ['event', 'artifact', 'artifact_version', 'current_run', 'run_holder'];
      await byHand(
        world.db,
        ...own.map((table) => `delete from ${table} where run_id = '${run}'`),
        `delete from run where id = '${run}'`,
      );
      const { code, json } = await verify(world);
      expect(code).toBe(1);
      expect(json).toMatchObject({
        ok: false,
        faults: expect.arrayContaining([
          expect.objectContaining({ table: 'run', key: [run], damage: 'removed' }),
          expect.objectContaining({ table: 'event', key: [run, 1], damage: 'removed' }),
          expect.objectContaining({ table: 'artifact', key: [run, 'n0.md'], damage: 'removed' }),
        ]),
      });
      // Taking away what the journal says of it as well leaves a gap there.
      await byHand(world.db, `delete from journal where subject = '${run}'`);
      expect((await verify(world)).json['faults'][0]).toMatchObject({ table: 'journal', damage: 'removed' });
    });

    const take = ({ place }: World) => {
      const { userDatabase } = place.data;
      for (const end of ['', '-wal', '-shm']) rmSync(`${userDatabase}${end}`, { force: true });
      return { table: 'user.db', key: [userDatabase] };
    };

    test(`${row('journal.user')} ${requires('gate.verify.user')} (removed)`, async ({ world }) => {
      await world.call('state_gate.list_runs');
      expect(await verify(world)).toMatchObject({ code: 0, json: { ok: true } });
      const fault = take(world);
      expect((await verify(world)).json).toMatchObject({ ok: false, faults: [{ ...fault, damage: 'removed' }] });
      if (database === 'postgres') return;
      const { json } = await world.cli(['status', '--json']);
      expect(json['rings']).toContainEqual(
        expect.objectContaining({ name: 'trust', state: 'broken', found: expect.stringContaining('user.db') }),
      );
    });

    test(`${row('journal.user')} ${requires('gate.verify.user')} (replaced)`, async ({ world }) => {
      expect((await world.cli(['init', '--json'])).code).toBe(0);
      await world.call('state_gate.list_runs');
      const fault = take(world);
      // Another one comes into being as soon as somebody is trusted with something.
      writeFileSync(join(world.project, '.sekisho/config.yaml'), 'lang: en\n');
      await trustConfiguration(world.project, { ...world.env, SEKISHO_PERSON_TOKEN: personToken });
      expect((await verify(world)).json).toMatchObject({ ok: false, faults: [{ ...fault, damage: 'changed' }] });
      // With a token of the new one nobody can take it: whoever replaced it made that token.
      const refused = await world.person(['init', '--json']);
      expect([refused.code, refused.json['not_admitted']]).toEqual([0, expect.stringMatching(/^[0-9a-f]{20}$/)]);
      expect((await verify(world)).json).toMatchObject({ ok: false, faults: [{ ...fault, damage: 'changed' }] });
      // A person who prepares the folder again at a terminal takes it as it is.
      expect((await atTerminal(world, ['init', '--json'])).code).toBe(0);
      expect((await verify(world)).json).toMatchObject({ ok: true });
      expect((await world.person(['admin', 'admit', '--json'])).json['admitted']).toHaveLength(2);
    });

    test(requires('gate.verify.head'), async ({ world }) => {
      const run = await makeRun(world);
      const { value } = await world.call('state_gate.get_history', { run_id: run });
      expect((await verify(world, '--head', value['head'] as string)).json).toMatchObject({ head_matches: true });
      expect((await verify(world, '--head', 'a'.repeat(64))).json).toMatchObject({ ok: false, head_matches: false });
    });
  });
});
