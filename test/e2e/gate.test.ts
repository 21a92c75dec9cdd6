import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { databases } from '../setup/databases.ts';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { type World, type WorldTest, inOneWorld, inTwoWorlds } from './world.ts';

const fixtures = join(import.meta.dirname, '../fixtures/processes');

function install(world: World, ...names: string[]): void {
  for (const name of names)
    copyFileSync(join(fixtures, `${name}.yaml`), join(world.project, '.sekisho/processes', `${name}.yaml`));
}

let keys = 0;
const key = () => `key-${++keys}`;

async function start(world: World, process: string, context?: object): Promise<string> {
  const { value } = await world.call('state_gate.create_run', { process_id: process, ...(context && { context }) });
  return value['run_id'] as string;
}

const emit = (world: World, run: string, event: string, revision: number, more: object = {}) =>
  world.call('state_gate.emit_event', {
    run_id: run,
    event_name: event,
    expected_revision: revision,
    idempotency_key: key(),
    ...more,
  });

const state = async (world: World, run: string) => (await world.call('state_gate.get_state', { run_id: run })).value;

inTwoWorlds('the gate', (test) => {
  test.beforeEach(({ world }) => install(world, 'checkpoint', 'loop'));

  story(test, 'runs', (clause) => {
    clause(requires('gate.create_run'), async ({ world }) => {
      const { value, raw } = await world.call('state_gate.create_run', {
        process_id: 'checkpoint',
        context: { goal: 'x' },
      });
      expect(value).toMatchObject({
        process_id: 'checkpoint',
        process_version: '2.1.0',
        current_state: 'observe',
        revision: 0,
        is_final: false,
      });
      expect(value['run_id']).toMatch(/^run-[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(value['context']).toEqual({ mode: 'domain', approved: false, goal: 'x' });
      expect(raw['isError']).toBeFalsy();
    });

    clause(requires('gate.create_run.unknown'), async ({ world }) => {
      install(world, 'broken');
      const unknown = await world.call('state_gate.create_run', { process_id: 'nope' });
      expect(unknown.value['error']).toMatchObject({ code: 'PROCESS_NOT_FOUND' });
      expect(unknown.value['error'].message).toContain('broken.yaml');
      const broken = await world.call('state_gate.create_run', { process_id: 'broken' });
      expect(broken.value['error'].code).toBe('PROCESS_INVALID');
      const codes = broken.value['error'].details.problems.map((one: { code: string }) => one.code);
      expect(codes).toEqual(
        expect.arrayContaining([
          'UNKNOWN_STATE',
          'DUPLICATE_NAME',
          'UNKNOWN_EVENT',
          'UNKNOWN_GUARD',
          'BAD_GUARD',
          'NO_FINAL_STATE',
        ]),
      );
    });

    clause(requires('gate.get_state'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      const before = await state(world, run);
      expect(before).toMatchObject({
        run_id: run,
        process_id: 'checkpoint',
        process_version: '2.1.0',
        current_state: 'observe',
        current_state_prompt: 'Observe in domain mode, note {context.unknown}.',
        is_final: false,
        revision: 0,
        missing_guards: [
          {
            guard_name: 'enough',
            description: 'Three observations',
            current_status: expect.stringContaining('(current: 0, required: 3)'),
          },
        ],
        required_artifacts: [
          { type: 'observation', description: 'One observation', status: 'missing' },
          { type: 'docs/brief.md', status: 'missing' },
        ],
        tool_permissions: { allowed: [], denied: ['Bash'], ask: ['WebFetch'] },
      });
      const names = before['allowed_events'].map((one: { event_name: string }) => one.event_name);
      expect(names).toEqual(['submit_observation', 'note', 'silent', 'declare']);
      expect(before['allowed_events'][0].payload_schema).toMatchObject({ required: ['findings'] });
      expect(Date.parse(before['updated_at'])).not.toBeNaN();
      world.write('docs/brief.md', 'brief');
      expect((await state(world, run))['required_artifacts'][1].status).toBe('present');
    });

    clause(requires('gate.run_not_found'), async ({ world }) => {
      for (const run_id of ['run-does-not-exist', 'run-550e8400-e29b-41d4-a716-446655440000', 'x']) {
        const { isError, value, raw } = await world.call('state_gate.get_state', { run_id });
        expect(isError).toBe(true);
        expect(raw['structuredContent']).toBeUndefined();
        expect(value).toMatchObject({ success: false, error: { code: 'RUN_NOT_FOUND' } });
      }
    });

    clause(requires('gate.list_runs'), async ({ world }) => {
      const ids = [await start(world, 'loop'), await start(world, 'loop'), await start(world, 'loop')];
      const { value } = await world.call('state_gate.list_runs', { limit: 2 });
      expect(value['runs'].map((one: { run_id: string }) => one.run_id)).toEqual([ids[2], ids[1]]);
      const next = await world.call('state_gate.list_runs', { limit: 2, cursor: value['next_cursor'] });
      expect(next.value['runs'][0].run_id).toBe(ids[0]);
      expect(value['runs'][0]).toMatchObject({
        process_id: 'loop',
        current_state: 'turning',
        revision: 0,
        is_final: false,
        is_current: false,
      });
    });

    clause(requires('gate.summary'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      const client = await world.client();
      const uri = `stategate://runs/${run}/summary`;
      const read = async () =>
        JSON.parse(((await client.readResource({ uri })).contents[0] as { text: string }).text) as Record<string, any>;
      expect(await read()).toMatchObject({
        run_id: run,
        process: { id: 'checkpoint', version: '2.1.0', name: 'Checkpoint' },
        current_state: 'observe',
        revision: 0,
        progress: {
          completed_states: [],
          current_state: 'observe',
          remaining_states: ['synthesize', 'decide', 'closed'],
        },
      });
      await emit(world, run, 'submit_observation', 0, {
        payload: { findings: 'f' },
        artifact_paths: ['1', '2', '3'].map((n) => world.write(`evidence/s${n}.md`, `s${n}`)),
      });
      expect((await read())['progress']).toEqual({
        completed_states: ['observe'],
        current_state: 'synthesize',
        remaining_states: ['decide', 'closed'],
      });
      expect((await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate)).toContain(
        'stategate://runs/{run_id}/summary',
      );
      expect((await client.listResources()).resources.map((one) => one.uri)).toContain(uri);
      await expect(client.readResource({ uri: 'stategate://runs/run-none/summary' })).rejects.toThrow();
    });

    clause(requires('common.paging'), async ({ world }) => {
      for (let n = 0; n < 5; n++) await start(world, 'loop');
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { value } = await world.call('state_gate.list_runs', {
          limit: 3,
          ...(cursor !== undefined && { cursor }),
        });
        seen.push(...value['runs'].map((one: { run_id: string }) => one.run_id));
        cursor = value['next_cursor'] as string | undefined;
      } while (cursor !== undefined);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(seen.toSorted().toReversed());
      expect((await world.call('state_gate.list_runs', { limit: 0 })).value['error'].code).toBe('INVALID_PAYLOAD');
    });
  });

  story(test, 'emitting an event', (clause) => {
    clause(requires('gate.emit.evidence-kept'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      const { value } = await emit(world, run, 'submit_observation', 0, {
        payload: { findings: 'f' },
        artifact_paths: [world.write('evidence/one.md', '1')],
      });
      expect(value).toMatchObject({
        success: true,
        result: { accepted: true, transition: { from_state: 'observe', to_state: 'observe' }, new_revision: 1 },
      });
      const after = await state(world, run);
      expect(after['revision']).toBe(1);
      expect(after['context']).not.toHaveProperty('findings');
      expect(after['missing_guards'][0].current_status).toContain('(current: 1, required: 3)');
    });

    clause(requires('gate.emit.transition'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      const paths = ['a', 'b', 'c'].map((name) => world.write(`evidence/${name}.md`, `content of ${name}`));
      const { value } = await emit(world, run, 'submit_observation', 0, {
        payload: { findings: 'f' },
        artifact_paths: paths,
      });
      expect(value['result']).toMatchObject({
        transition: { from_state: 'observe', to_state: 'synthesize' },
        new_revision: 1,
        new_state_prompt: 'Bring it together.',
      });
      expect(value['result'].event_id).toMatch(/^evt-/);
      expect((await state(world, run))['context']).toMatchObject({ findings: 'f' });
    });

    clause(requires('gate.emit.guard-failed'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      const refused = await emit(world, run, 'submit_observation', 0, { payload: { findings: 'f' } });
      expect(refused.isError).toBe(true);
      expect(refused.raw['structuredContent']).toBeUndefined();
      expect(refused.value).toMatchObject({
        success: false,
        error: { code: 'GUARD_FAILED', message: 'Guard conditions not satisfied' },
      });
      expect(refused.value['error'].details.missing_guards).toEqual([
        expect.stringMatching(/^enough: .*\(current: 0, required: 3\)$/),
      ]);
      expect(await state(world, run)).toMatchObject({ revision: 0, context: { mode: 'domain', approved: false } });
      // The same file again is nothing new.
      const path = world.write('evidence/same.md', 'same');
      await emit(world, run, 'submit_observation', 0, { payload: { findings: 'f' }, artifact_paths: [path] });
      const again = await emit(world, run, 'submit_observation', 1, {
        payload: { findings: 'f' },
        artifact_paths: [path],
      });
      expect(again.value['error'].code).toBe('GUARD_FAILED');
    });

    clause(requires('gate.emit.conflict'), async ({ world }) => {
      const run = await start(world, 'loop');
      await emit(world, run, 'turn', 0);
      const late = await emit(world, run, 'turn', 0, { payload: { by: 'loser' } });
      expect(late.value['error']).toMatchObject({
        code: 'REVISION_CONFLICT',
        message: 'Expected revision 0, but current is 1',
        details: { current_revision: 1 },
      });
      expect((await state(world, run))['context']).toEqual({});
    });

    clause(requires('gate.emit.idempotent'), async ({ world }) => {
      const run = await start(world, 'loop');
      const request = {
        run_id: run,
        event_name: 'turn',
        payload: { n: 1 },
        expected_revision: 0,
        idempotency_key: 'same',
      };
      const first = await world.call('state_gate.emit_event', request);
      await emit(world, run, 'turn', 1, { payload: { n: 2 } });
      const second = await world.call('state_gate.emit_event', { ...request, expected_revision: 7 });
      expect(first.value).not.toHaveProperty('replayed');
      expect(second.value).toEqual({ ...first.value, replayed: true, code: 'IDEMPOTENT_REPLAY' });
      expect((await state(world, run))['revision']).toBe(2);
    });

    clause(requires('gate.emit.key-reused'), async ({ world }) => {
      const run = await start(world, 'loop');
      const request = {
        run_id: run,
        event_name: 'turn',
        payload: { n: 1 },
        expected_revision: 0,
        idempotency_key: 'one',
      };
      await world.call('state_gate.emit_event', request);
      const other = await world.call('state_gate.emit_event', { ...request, payload: { n: 2 }, expected_revision: 1 });
      expect(other.value['error'].code).toBe('INVALID_PAYLOAD');
      expect(other.value['error'].details.validation_errors[0].path).toBe('/idempotency_key');
      // Keys are per run.
      const elsewhere = await start(world, 'loop');
      expect((await world.call('state_gate.emit_event', { ...request, run_id: elsewhere })).isError).toBe(false);
    });

    clause(requires('gate.emit.key-not-consumed'), async ({ world }) => {
      const run = await start(world, 'loop');
      const request = { run_id: run, event_name: 'turn', expected_revision: 5, idempotency_key: 'kept' };
      expect((await world.call('state_gate.emit_event', request)).value['error'].code).toBe('REVISION_CONFLICT');
      expect((await world.call('state_gate.emit_event', { ...request, expected_revision: 0 })).value).toMatchObject({
        success: true,
        result: { new_revision: 1 },
      });
    });

    clause(requires('gate.emit.invalid-event'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      const unknown = await emit(world, run, 'fly', 0);
      expect(unknown.value['error']).toMatchObject({ code: 'INVALID_EVENT' });
      expect(unknown.value['error'].details.possible_events).toContain('submit_observation');
      const elsewhere = await emit(world, run, 'submit_synthesis', 0);
      expect(elsewhere.value['error']).toMatchObject({
        code: 'INVALID_EVENT',
        details: { legal_in: ['synthesize'], current_state: 'observe' },
      });
    });

    clause(requires('gate.emit.payload-schema'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      const wrong = await emit(world, run, 'submit_observation', 0, { payload: { findings: 3 } });
      expect(wrong.value['error']).toMatchObject({
        code: 'INVALID_PAYLOAD',
        details: { validation_errors: [{ path: '/payload/findings', message: 'must be string' }] },
      });
      const large = await emit(world, run, 'note', 0, { payload: { remark: 'x'.repeat(101 * 1024) } });
      expect(large.value['error'].code).toBe('INVALID_PAYLOAD');
      expect((await state(world, run))['revision']).toBe(0);
    });

    clause(requires('gate.artifacts.confined'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      writeFileSync(join(world.project, '../secret.md'), 'secret');
      mkdirSync(join(world.project, 'evidence'), { recursive: true });
      symlinkSync(join(world.project, '../secret.md'), join(world.project, 'evidence/link.md'));
      for (const path of [
        '../secret.md',
        join(world.project, '../secret.md'),
        'evidence/link.md',
        '/etc/passwd',
        '../nothing-there.md',
      ]) {
        const { value } = await emit(world, run, 'submit_observation', 0, {
          payload: { findings: 'f' },
          artifact_paths: [path],
        });
        expect(value['error']).toMatchObject({
          code: 'INVALID_PAYLOAD',
          details: { validation_errors: [{ path: '/artifact_paths/0', message: expect.stringContaining('outside') }] },
        });
      }
      const inside = await emit(world, run, 'submit_observation', 0, {
        payload: { findings: 'f' },
        artifact_paths: [join(world.project, world.write('evidence/abs.md', 'absolute'))],
      });
      expect(inside.isError).toBe(false);
      const { value } = await world.call('state_gate.get_history', { run_id: run });
      expect(value['events'][0].artifacts).toMatchObject([
        { path: 'evidence/abs.md', version: 1, type: 'observation', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ]);
    });
  });

  test(requires('gate.notifications'), async ({ world }) => {
    const run = await start(world, 'loop');
    const client = await world.client();
    const uri = `stategate://runs/${run}/summary`;
    let lists = 0;
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/list_changed', () => void lists++);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    await client.subscribeResource({ uri });
    // The standing stream of a 2025-era HTTP client opens a moment after initialize: what happened before is not told.
    let revision = 0;
    await until('both notifications', async () => {
      const line = `gate emit-event --run-id ${run} --event-name turn --expected-revision ${revision} --idempotency-key other-${revision++}`;
      const outcome = await world.cli(line.split(' '));
      expect(outcome.code).toBe(0);
      return lists > 0 && updated.includes(uri);
    });
  });

  story(test, 'answers and names', (clause) => {
    clause(requires('common.results.structured'), async ({ world }) => {
      const { raw } = await world.call('state_gate.list_runs');
      expect(JSON.parse(raw['content'][0].text)).toEqual(raw['structuredContent']);
    });

    clause(requires('common.failures.envelope'), async ({ world }) => {
      const { raw, value } = await world.call('state_gate.get_state', { run_id: 'run-x' });
      expect(raw).toMatchObject({ isError: true });
      expect(raw['structuredContent']).toBeUndefined();
      expect(Object.keys(value)).toEqual(['success', 'error']);
      expect(value['error']).toMatchObject({ code: 'RUN_NOT_FOUND', message: expect.any(String) });
    });

    clause(requires('common.failures.schema'), async ({ world }) => {
      for (const input of [
        {},
        { event_name: 3 },
        { event_name: 'x', expected_revision: 'a', idempotency_key: '' },
        { unknown: true },
      ]) {
        const { value, isError } = await world.call('state_gate.emit_event', input);
        expect(isError).toBe(true);
        expect(value).toMatchObject({
          success: false,
          error: { code: 'INVALID_PAYLOAD', details: { validation_errors: expect.any(Array) } },
        });
      }
    });

    clause(requires('common.names.dotted'), async ({ world }) => {
      const client = await world.client();
      const names = (await client.listTools()).tools.map((one) => one.name);
      expect(names).toContain('state_gate.get_state');
      expect(names).not.toContain('state_gate_get_state');
      expect((await world.call('state_gate_list_runs', {}, client)).isError).toBe(false);
    });

    clause(requires('common.names.auto'), async ({ world }) => {
      const names = async (name: string) =>
        (await (await world.client({ name })).listTools()).tools.map((one) => one.name);
      expect(await names('claude-ai')).toContain('state_gate_get_state');
      expect(await names('cursor-vscode')).toContain('state_gate_get_state');
      expect(await names('claude-code')).toContain('state_gate.get_state');
    });

    clause('a client that holds errors to the schema of an output is shown none', async ({ world }) => {
      const schemas = async (name: string) =>
        (await (await world.client({ name })).listTools()).tools.filter((one) => one.outputSchema !== undefined);
      expect(await schemas('gemini-cli-mcp-client')).toEqual([]);
      expect((await schemas('claude-code')).length).toBeGreaterThan(0);
    });
  });
});

/** Several servers meet in each database; the one daemon has all writers in one process. */
describe.each(databases)('the gate (stdio, %s)', (database) => inOneWorld('stdio', database, writeAtOnce));
describe('the gate (http)', () => inOneWorld('http', databases.at(-1) ?? 'sqlite', writeAtOnce));

function writeAtOnce(test: WorldTest): void {
  test.beforeEach(({ world }) => install(world, 'loop'));

  story(test, 'writers at once', (clause) => {
    clause(requires('gate.emit.idempotent-concurrent'), async ({ world }) => {
      const clients = await Promise.all([1, 2, 3, 4, 5].map(() => world.client()));
      for (let round = 0; round < 5; round++) {
        const run = await start(world, 'loop');
        const request = {
          run_id: run,
          event_name: 'turn',
          payload: { n: round },
          expected_revision: 0,
          idempotency_key: 'five',
        };
        const replies = await Promise.all(
          clients.map((client) => world.call('state_gate.emit_event', request, client)),
        );
        expect(replies.map((one) => one.value['success'])).toEqual([true, true, true, true, true]);
        expect(new Set(replies.map((one) => one.value['result'].event_id)).size).toBe(1);
        expect(replies.filter((one) => one.value['replayed'] === true)).toHaveLength(4);
        expect((await state(world, run))['revision']).toBe(1);
      }
    });

    clause(requires('gate.emit.one-winner'), async ({ world }) => {
      const clients = await Promise.all(Array.from({ length: 5 }, () => world.client()));
      for (let round = 0; round < 10; round++) {
        const run = await start(world, 'loop');
        const replies = await Promise.all(
          clients.map((client, index) =>
            world.call(
              'state_gate.emit_event',
              {
                run_id: run,
                event_name: 'turn',
                payload: { by: `writer-${index}` },
                expected_revision: 0,
                idempotency_key: `k-${index}`,
              },
              client,
            ),
          ),
        );
        const winners = replies.flatMap((one, index) => (one.isError ? [] : [index]));
        expect(winners).toHaveLength(1);
        expect(replies.filter((one) => one.isError).map((one) => one.value['error'].code)).toEqual(
          Array.from({ length: 4 }, () => 'REVISION_CONFLICT'),
        );
        expect(await state(world, run)).toMatchObject({ revision: 1, context: { by: `writer-${winners[0]}` } });
      }
    });

    clause(requires('gate.emit.crowd'), async ({ world }) => {
      const each = 20;
      const clients = await Promise.all(Array.from({ length: 8 }, () => world.client()));
      const histories = await Promise.all(
        clients.map(async (client) => {
          const run = await start(world, 'loop');
          const acknowledged: string[] = [];
          for (let revision = 0; revision < each; revision++) {
            const turn = { run_id: run, event_name: 'turn', payload: { n: revision } };
            const expected = { expected_revision: revision, idempotency_key: `turn-${revision}` };
            const { value } = await world.call('state_gate.emit_event', { ...turn, ...expected }, client);
            acknowledged.push(value['result'].event_id as string);
          }
          return { run, acknowledged };
        }),
      );
      for (const { run, acknowledged } of histories) {
        const { value } = await world.call('state_gate.get_history', { run_id: run });
        expect(value['events'].map((one: { event_id: string }) => one.event_id)).toEqual(acknowledged);
        expect((await state(world, run))['revision']).toBe(each);
      }
      const { json } = await world.cli(['journal', 'verify', '--json']);
      expect(json).toMatchObject({ ok: true, faults: [] });
    });
  });
}

describe('details of the gate', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test.beforeEach(({ world }) => install(world, 'checkpoint', 'loop'));

    test(requires('gate.create_run.current'), async ({ world }) => {
      const first = await world.call('state_gate.create_run', { process_id: 'loop' });
      const second = await world.call('state_gate.create_run', { process_id: 'loop' });
      expect([first.value['is_current'], second.value['is_current']]).toEqual([true, false]);
      expect((await world.call('state_gate.get_state')).value['run_id']).toBe(first.value['run_id']);
      await emit(world, first.value['run_id'], 'stop', 0);
      const third = await world.call('state_gate.create_run', { process_id: 'loop' });
      expect(third.value['is_current']).toBe(true);
    });

    test(requires('gate.which-run'), async ({ world }) => {
      const current = await start(world, 'loop');
      const other = await start(world, 'checkpoint');
      expect((await world.call('state_gate.get_state')).value['run_id']).toBe(current);
      const byFlag = await world.client({ args: ['--run-id', other] });
      const byVariable = await world.client({ env: { SEKISHO_RUN_ID: other } });
      const flagWins = await world.client({ args: ['--run-id', other], env: { SEKISHO_RUN_ID: current } });
      for (const client of [byFlag, byVariable, flagWins])
        expect((await world.call('state_gate.get_state', {}, client)).value['run_id']).toBe(other);
      expect((await world.call('state_gate.get_state', { run_id: current }, byFlag)).value['run_id']).toBe(current);
    });

    story(test, 'transitions, checks and context', (clause) => {
      clause(requires('gate.emit.order-of-transitions'), async ({ world }) => {
        const human = await world.client({ role: 'human' });
        const decide = async (context: object) => {
          const created = await world.call('state_gate.create_run', { process_id: 'checkpoint', context }, human);
          const run = created.value['run_id'] as string;
          await world.call(
            'state_gate.emit_event',
            { run_id: run, event_name: 'settle', expected_revision: 0, idempotency_key: key() },
            human,
          );
          return (await emit(world, run, 'pick', 1)).value['result'].transition.to_state as string;
        };
        expect(await decide({})).toBe('decide');
        expect(await decide({ finish: 'now' })).toBe('closed');
        expect(await decide({ again: 1, finish: 'now' })).toBe('observe');
        expect(await decide({ finish: 'later' })).toBe('decide');
        const large = { process_id: 'checkpoint', context: { other: 'x'.repeat(200_000) } };
        expect((await world.call('state_gate.create_run', large)).value['error'].code).toBe('INVALID_PAYLOAD');
      });

      clause(requires('gate.emit.order-of-checks'), async ({ world }) => {
        const run = await start(world, 'checkpoint');
        const code = async (input: object) => {
          const { value } = await world.call('state_gate.emit_event', {
            run_id: run,
            expected_revision: 0,
            idempotency_key: key(),
            ...input,
          });
          return value['error']?.code as string;
        };
        const wrong = { payload: { findings: 1 }, artifact_paths: ['../x'], expected_revision: 99 };
        expect(await code({ ...wrong, run_id: 'run-none', event_name: 'fly' })).toBe('RUN_NOT_FOUND');
        expect(await code({ ...wrong, event_name: 'fly' })).toBe('INVALID_EVENT');
        expect(await code({ ...wrong, event_name: 'settle' })).toBe('FORBIDDEN');
        expect(await code({ ...wrong, event_name: 'sealed' })).toBe('FORBIDDEN');
        expect(await code({ ...wrong, event_name: 'close' })).toBe('INVALID_EVENT');
        expect(await code({ ...wrong, event_name: 'submit_observation' })).toBe('INVALID_PAYLOAD');
        expect(
          await code({ event_name: 'submit_observation', payload: { findings: 'f' }, expected_revision: 99 }),
        ).toBe('REVISION_CONFLICT');
        expect(await code({ event_name: 'submit_observation', payload: { findings: 'f' } })).toBe('GUARD_FAILED');
        // The key comes before everything that follows it, so that a repeated request is answered even where it would now be refused.
        const request = { run_id: run, event_name: 'note', expected_revision: 0, idempotency_key: 'early' };
        await world.call('state_gate.emit_event', request);
        expect((await world.call('state_gate.emit_event', { ...request, expected_revision: 42 })).value['code']).toBe(
          'IDEMPOTENT_REPLAY',
        );
      });

      clause(requires('gate.emit.context'), async ({ world }) => {
        const run = await start(world, 'checkpoint');
        await emit(world, run, 'note', 0, { payload: { remark: 'kept', other: 'dropped' } });
        await emit(world, run, 'silent', 1, { payload: { remark: 'ignored' } });
        expect((await state(world, run))['context']).toEqual({ mode: 'domain', approved: false, remark: 'kept' });
        const free = await start(world, 'loop');
        await emit(world, free, 'turn', 0, { payload: { by: 'x', more: [1], __proto__: { polluted: true } } });
        expect((await state(world, free))['context']).toEqual({ by: 'x', more: [1] });
      });

      clause(requires('gate.emit.guarded-variable'), async ({ world }) => {
        const run = await start(world, 'checkpoint');
        // `note` declares neither, and `pick` declares nothing: a guard’s variable cannot be smuggled in.
        await emit(world, run, 'note', 0, { payload: { approved: true, again: 1 } });
        expect((await state(world, run))['context']).toEqual({ mode: 'domain', approved: false });
        await emit(world, run, 'declare', 1, { payload: { approved: true, again: 1 } });
        expect((await state(world, run))['context']).toEqual({ mode: 'domain', approved: true });
      });

      clause(requires('gate.emit.context-schema'), async ({ world }) => {
        const run = await start(world, 'checkpoint');
        const path = world.write('evidence/level.md', 'level');
        const refused = await emit(world, run, 'submit_observation', 0, {
          payload: { findings: 'f', level: 'middle' },
          artifact_paths: [path],
        });
        expect(refused.value['error']).toMatchObject({
          code: 'INVALID_PAYLOAD',
          details: { validation_errors: [{ path: '/context/level' }] },
        });
        const start2 = await world.call('state_gate.create_run', {
          process_id: 'checkpoint',
          context: { level: 'middle' },
        });
        expect(start2.value['error'].code).toBe('INVALID_PAYLOAD');
      });
    });

    story(test, 'evidence', (clause) => {
      clause(requires('gate.artifacts.kinds'), async ({ world }) => {
        const run = await start(world, 'checkpoint');
        mkdirSync(join(world.project, 'folder'), { recursive: true });
        const { value } = await emit(world, run, 'submit_observation', 0, {
          payload: { findings: 'f' },
          artifact_paths: ['..no-such.md', 'folder'],
        });
        const messages = value['error'].details.validation_errors.map((one: { message: string }) => one.message);
        expect(messages).toEqual([
          expect.stringContaining('does not exist'),
          expect.stringContaining('not a regular file'),
        ]);
        const dotted = { payload: { findings: 'f' }, artifact_paths: [world.write('..dotted.md', 'd')] };
        expect((await emit(world, run, 'submit_observation', 0, dotted)).isError).toBe(false);
      });

      clause(requires('gate.artifacts.types'), async ({ world }) => {
        const run = await start(world, 'checkpoint');
        const paths = [
          'evidence/x.md',
          'evidence/deep/x.md',
          'my-Synthesis.txt',
          'synthesis_2.md',
          'SYNTHESIS.json',
          'synthesisx.md',
        ].map((path) => world.write(path, path));
        await emit(world, run, 'submit_observation', 0, { payload: { findings: 'f' }, artifact_paths: paths });
        const { value } = await world.call('state_gate.get_history', { run_id: run });
        const types = Object.fromEntries(
          value['events'][0].artifacts.map((one: { path: string; type: string | null }) => [one.path, one.type]),
        );
        expect(types).toEqual({
          'evidence/x.md': 'observation',
          'evidence/deep/x.md': null,
          'my-Synthesis.txt': 'synthesis',
          'synthesis_2.md': 'synthesis',
          'SYNTHESIS.json': 'synthesis',
          'synthesisx.md': null,
        });
      });

      clause(requires('gate.artifacts.distinct'), async ({ world }) => {
        const run = await start(world, 'checkpoint');
        world.write('evidence/orig.md', 'original');
        world.write('evidence/copy.md', 'original');
        symlinkSync('orig.md', join(world.project, 'evidence/alias.md'));
        const { value } = await emit(world, run, 'submit_observation', 0, {
          payload: { findings: 'f' },
          artifact_paths: ['evidence/orig.md', 'evidence/copy.md', 'evidence/alias.md'],
        });
        expect(value['result'].transition.to_state).toBe('observe');
        expect((await state(world, run))['missing_guards'][0].current_status).toContain('current: 1');
      });

      clause(requires('gate.artifacts.versions'), async ({ world }) => {
        const run = await start(world, 'checkpoint');
        await emit(world, run, 'submit_observation', 0, {
          payload: { findings: 'f' },
          artifact_paths: [world.write('evidence/v.md', 'first')],
        });
        await emit(world, run, 'submit_observation', 1, {
          payload: { findings: 'f' },
          artifact_paths: [world.write('evidence/v.md', 'second')],
        });
        const { value } = await world.call('state_gate.get_history', { run_id: run });
        const versions = value['events'].map(
          (one: { artifacts: { version: number; digest: string }[] }) => one.artifacts[0],
        );
        expect(versions.map((one: { version: number }) => one.version)).toEqual([1, 2]);
        expect(versions[0].digest).not.toBe(versions[1].digest);
        expect((await state(world, run))['missing_guards'][0].current_status).toContain('current: 1');
      });
    });

    test(requires('common.lang'), async ({ world }) => {
      const japanese = await world.client({ args: ['--lang', 'ja'] });
      const run = await start(world, 'checkpoint');
      const { value } = await world.call('state_gate.get_state', { run_id: run }, japanese);
      expect(value['missing_guards'][0].current_status).toContain('(現在: 0, 必要: 3)');
      const refused = await world.call(
        'state_gate.emit_event',
        { run_id: run, event_name: 'note', expected_revision: 3, idempotency_key: key() },
        japanese,
      );
      expect(refused.value['error'].message).toBe('Expected revision 3, but current is 0');
      expect(refused.value['error'].details.next_step).toContain('get_state で再取得');
      const byLocale = await world.client({ env: { LANG: 'ja_JP.UTF-8' } });
      expect(
        (await world.call('state_gate.get_state', { run_id: 'run-x' }, byLocale)).value['error'].message,
      ).toContain('存在しません');
    });

    test(requires('common.actor.claim'), async ({ world }) => {
      const run = await start(world, 'checkpoint');
      const settle = { run_id: run, event_name: 'settle', expected_revision: 0 };
      const posing = [
        await world.client({ role: 'human', name: 'claude-code' }),
        await world.client({ role: 'human', name: 'codex-mcp-client' }),
      ];
      for (const client of posing) {
        const { value } = await world.call('state_gate.emit_event', { ...settle, idempotency_key: key() }, client);
        expect(value['error'].code).toBe('FORBIDDEN');
      }
      const shell = await world.cli(
        [
          'gate',
          'emit-event',
          '--run-id',
          run,
          '--event-name',
          'settle',
          '--expected-revision',
          '0',
          '--idempotency-key',
          'k',
          '--role',
          'human',
          '--json',
        ],
        { env: { CLAUDECODE: '1' } },
      );
      expect(shell.code).not.toBe(0);
      expect((await state(world, run))['revision']).toBe(0);
      const human = await world.client({ role: 'human' });
      expect((await world.call('state_gate.emit_event', { ...settle, idempotency_key: key() }, human)).isError).toBe(
        false,
      );
    });

    test(requires('common.project'), async ({ world }) => {
      mkdirSync(join(world.project, 'deep/down'), { recursive: true });
      await start(world, 'loop');
      const below = await world.cli(['gate', 'list-runs', '--json'], { cwd: join(world.project, 'deep/down') });
      expect(below.json['runs'].length).toBeGreaterThan(0);
      const outside = await world.cli(['gate', 'list-runs', '--json'], { cwd: '/' });
      expect(outside.json['runs']).toEqual([]);
      const named = await world.cli(['gate', 'list-runs', '--json', '--project', world.project], { cwd: '/' });
      expect(named.json['runs'].length).toBe(below.json['runs'].length);
      // A run’s files are in its project: nowhere else can it be moved on.
      const runId = await start(world, 'loop');
      const turn = [
        'gate',
        'emit-event',
        '--run-id',
        runId,
        '--event-name',
        'turn',
        '--expected-revision',
        '0',
        '--idempotency-key',
        'k',
        '--json',
      ];
      expect((await world.cli(turn, { cwd: '/' })).json).toMatchObject({ code: 'RUN_NOT_FOUND' });
      expect((await world.cli(turn)).json).toMatchObject({ success: true });
      const use = await world.person(['gate', 'use', runId, '--json'], { cwd: '/' });
      expect(use).toMatchObject({ code: 1, stderr: '', json: { code: 'RUN_NOT_FOUND' } });
      expect(use.json['message']).toContain(`no run "${runId.slice(0, 12)}`);
    });
  });
});
