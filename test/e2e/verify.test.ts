import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { requires } from './requirements.ts';
import type { World } from './world.ts';
import { inOneWorld } from './world.ts';

/** What somebody with a database client can do behind the product's back. */
async function byHand(world: World, ...statements: string[]): Promise<void> {
  if (world.database === 'sqlite') {
    const database = new DatabaseSync(world.db);
    database.exec('pragma busy_timeout = 5000; pragma foreign_keys = off');
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: world.db });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function makeRun(world: World): Promise<string> {
  const definition = `id: chain\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: go }, { name: end }]
transitions: [{ from: a, event: go, to: a }, { from: a, event: end, to: b }]\nartifacts: [{ type: note, path: "*.md" }]\n`;
  world.write('.sekisho/processes/chain.yaml', definition);
  const run = (await world.call('state_gate.create_run', { process_id: 'chain' })).value['run_id'] as string;
  for (let n = 0; n < 5; n++) {
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

const verify = async (world: World, run: string, ...more: string[]) =>
  world.cli(['journal', 'verify', '--run-id', run, '--json', ...more]);

describe.each(['sqlite', 'postgres'] as const)('the chain on %s', (database) => {
  inOneWorld('stdio', database, (test) => {
    test(requires('gate.verify'), async ({ world }) => {
      const journal = (run: string, revision: number) =>
        `subject = '${run}' and kind = 'run.event' and data like '%"revision":${revision},%'`;
      const cases: [string, (run: string) => string[], object][] = [
        [
          'an event’s payload',
          (run) => [`update event set payload = '{"n":99}' where run_id = '${run}' and revision = 3`],
          { row: 'event 3', damage: 'changed' },
        ],
        [
          'who emitted an event',
          (run) => [`update event set actor = 'os:somebody' where run_id = '${run}' and revision = 2`],
          { row: 'event 2', damage: 'changed' },
        ],
        [
          'an event taken away',
          (run) => [`delete from event where run_id = '${run}' and revision = 5`],
          { row: 'event 5', damage: 'removed' },
        ],
        [
          'an event put in',
          (run) => [
            `insert into event (run_id, revision, id, name, actor, role, payload, artifacts, from_state, to_state, idempotency_key, request, answer, at)
              values ('${run}', 6, 'evt-x', 'go', 'a', 'agent', '{}', '[]', 'a', 'a', 'kx', 'r', '{}', 'now')`,
          ],
          { row: 'event 6', damage: 'added' },
        ],
        [
          'a journal row’s time',
          (run) => [`update journal set at = '2020-01-01T00:00:00.000Z' where ${journal(run, 4)}`],
          { damage: 'changed' },
        ],
        ['a journal row taken away', (run) => [`delete from journal where ${journal(run, 2)}`], { damage: 'removed' }],
        [
          'the last journal row taken away',
          (run) => [`delete from journal where ${journal(run, 5)}`],
          { damage: 'removed' },
        ],
        [
          'a journal row put in',
          (run) => [
            `insert into journal (seq, at, actor, subject, kind, data) select max(seq) + 1000, 'x', 'y', '${run}', 'run.event', (select data from journal where ${journal(run, 3)}) from journal`,
          ],
          { damage: 'changed' },
        ],
        [
          'the state',
          (run) => [`update run set state = 'b' where id = '${run}'`],
          { row: expect.stringContaining('run'), damage: 'changed' },
        ],
        [
          'the context',
          (run) => [`update run set context = '{"n":1000}' where id = '${run}'`],
          { row: expect.stringContaining('run'), damage: 'changed' },
        ],
        [
          'an artifact’s digest',
          (run) => [`update artifact set digest = 'f' where run_id = '${run}' and path = 'n1.md'`],
          { row: 'artifact n1.md', damage: 'changed' },
        ],
        ...['actor', 'type', 'size', 'version', 'digest'].flatMap((column): typeof cases =>
          ['artifact', 'artifact_version'].map((table) => [
            `the ${column} of an ${table}`,
            (run) => [`update ${table} set ${column} = '77' where run_id = '${run}' and path = 'n2.md'`],
            table === 'artifact_version' && column === 'version'
              ? { row: 'artifact_version n2.md v77', damage: 'added' }
              : { row: expect.stringMatching(`^${table} n2.md`), damage: 'changed' },
          ]),
        ),
        ...['artifact', 'artifact_version'].flatMap((table): typeof cases => [
          [
            `an ${table} taken away`,
            (run) => [`delete from ${table} where run_id = '${run}' and path = 'n3.md'`],
            { row: expect.stringMatching(`^${table} n3.md`), damage: 'removed' },
          ],
          [
            `an ${table} put in`,
            (run) => [
              `insert into ${table} (run_id, path, version, type, digest, size, actor, revision, at)
                values ('${run}', 'z.md', 1, 'note', 'd', 1, 'a', 1, 'now')`,
            ],
            { row: expect.stringMatching(`^${table} z.md`), damage: 'added' },
          ],
        ]),
        ...['request', 'answer'].map((column): (typeof cases)[number] => [
          `the ${column} of an event`,
          (run) => [`update event set ${column} = '{}' where run_id = '${run}' and revision = 4`],
          { row: 'event 4', damage: 'changed' },
        ]),
        ...Object.entries({ is_final: 1, visited: '["b"]', entered: 3, evidence: 1, definition: 'other' }).map(
          ([column, value]): (typeof cases)[number] => [
            `the run’s ${column}`,
            (run) => [`update run set ${column} = '${value}' where id = '${run}'`],
            { row: expect.stringContaining('run'), damage: 'changed', detail: expect.stringContaining(column) },
          ],
        ),
        ['the run itself', (run) => [`delete from run where id = '${run}'`], { damage: 'removed' }],
      ];
      for (const [what, statements, fault] of cases) {
        const run = await makeRun(world);
        expect((await verify(world, run)).json, what).toMatchObject({ ok: true, runs: 1, rows: 6, fault: null });
        await byHand(world, ...statements(run));
        const outcome = await verify(world, run);
        expect(outcome.json, what).toMatchObject({ ok: false, fault: { run_id: run, ...fault } });
        expect(outcome.code).toBe(1);
      }
      expect((await world.cli(['journal', 'verify'])).stdout).toContain('Not as it was written');
      const unknown = await verify(world, 'run-unknown');
      expect(unknown.code).toBe(1);
      expect(unknown.stdout + unknown.stderr).toContain('run-unknown');
      expect(unknown.stdout + unknown.stderr).not.toContain('removed');
    });

    test('a run whose whole journal is gone is found among all runs', async ({ world }) => {
      const run = await makeRun(world);
      await byHand(world, `delete from journal where subject = '${run}'`);
      expect((await verify(world, run)).json).toMatchObject({ ok: false, fault: { run_id: run, damage: 'removed' } });
      await byHand(
        world,
        ...['event', 'artifact', 'artifact_version'].map((table) => `delete from ${table} where run_id <> '${run}'`),
        `delete from journal`,
        `delete from run where id <> '${run}'`,
      );
      const all = await world.cli(['journal', 'verify', '--json']);
      expect(all.json).toMatchObject({ ok: false, fault: { run_id: run, damage: 'removed' } });
    });

    test(requires('gate.verify.head'), async ({ world }) => {
      const run = await makeRun(world);
      const { value } = await world.call('state_gate.get_history', { run_id: run });
      expect((await verify(world, run, '--head', value['head'])).json).toMatchObject({ ok: true, head_matches: true });
      expect((await verify(world, run, '--head', 'a'.repeat(64))).json).toMatchObject({
        ok: false,
        head_matches: false,
        fault: null,
      });
    });
  });
});
