import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { type World, inOneWorld, inTwoWorlds } from './world.ts';

const fixtures = join(import.meta.dirname, '../fixtures/processes');

interface Line {
  readonly seq: number;
  readonly kind: string;
  readonly link: string;
  readonly subject: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function journal(world: World, after = 0): Promise<readonly Line[]> {
  const { json } = await world.cli(['journal', 'list', '--after', String(after), '--limit', '1000', '--json']);
  return json['entries'] as readonly Line[];
}

inTwoWorlds('the journal', (test) => {
  test(requires('common.journal'), async ({ world }) => {
    for (const name of ['checkpoint', 'loop'])
      copyFileSync(join(fixtures, `${name}.yaml`), join(world.project, '.sekisho/processes', `${name}.yaml`));
    let head = 0;
    const news = async () => {
      const lines = await journal(world, head);
      head = lines.at(-1)?.seq ?? head;
      return lines.filter((one) => !one.kind.startsWith('server.') && !one.kind.startsWith('token.'));
    };
    await world.call('state_gate.list_runs');
    await news();

    const run = String((await world.call('state_gate.create_run', { process_id: 'loop' })).value['run_id']);
    expect(await news()).toMatchObject([{ kind: 'run.created', subject: run, data: { process: 'loop', revision: 0 } }]);

    const emit = (revision: number, more: object = {}) =>
      world.call('state_gate.emit_event', {
        run_id: run,
        event_name: 'turn',
        expected_revision: revision,
        idempotency_key: `k${revision}`,
        ...more,
      });
    await emit(0);
    await emit(1, { payload: { n: 7 } });
    expect(await news()).toMatchObject([
      {
        kind: 'run.event',
        subject: run,
        actor: expect.stringMatching(/^agent:/),
        data: { event: 'turn', revision: 1 },
      },
      { kind: 'run.event', subject: run, data: { event: 'turn', revision: 2, from: 'turning', to: 'turning' } },
    ]);

    const refusals = [
      await emit(0, { idempotency_key: 'late' }),
      await emit(2, { event_name: 'fly' }),
      await emit(2, { payload: { n: 'seven' } }),
      await emit(2, { artifact_paths: ['../outside'] }),
      await emit(2, { run_id: 'run-none' }),
      await world.call('state_gate.create_run', { process_id: 'nope' }),
      await world.call('state_gate.emit_event', { nonsense: true }),
    ];
    expect(refusals.map((one) => one.isError)).toEqual(refusals.map(() => true));
    const replay = await emit(1, { payload: { n: 7 } });
    expect(replay.value['code']).toBe('IDEMPOTENT_REPLAY');
    for (const tool of ['get_state', 'list_events', 'get_history', 'list_runs', 'list_processes'])
      expect((await world.call(`state_gate.${tool}`)).isError).toBe(false);
    expect(await news()).toEqual([]);

    // What the answer acknowledged, what the table has and what the journal says are the same thing.
    const { value } = await world.call('state_gate.get_history', { run_id: run });
    const lines = (await journal(world)).filter((one) => one.kind === 'run.event' && one.subject === run);
    expect(lines.map((one) => one.data['event_id'])).toEqual(
      value['events'].map((one: { event_id: string }) => one.event_id),
    );
    expect(value['head']).toBe(lines.at(-1)?.link);
  });

  test('what somebody looks for is found in either case, with capitals outside of ASCII and signs of patterns', async ({
    world,
  }) => {
    copyFileSync(join(fixtures, 'loop.yaml'), join(world.project, '.sekisho/processes/loop.yaml'));
    const begin = async (goal: string) =>
      String((await world.call('state_gate.create_run', { process_id: 'loop', context: { goal } })).value['run_id']);
    const run = await begin('Überarbeiten: 100%_ＦＥＲＴＩＧ');
    await begin('something else');
    const found = async (text: string) => {
      const { value } = await world.call('state_gate.list_runs', { text });
      return (value['runs'] as readonly { run_id: string }[]).map((one) => one.run_id);
    };
    for (const text of ['Über', 'Überarbeiten', 'ÜBERARBEITEN', '100%_ＦＥＲＴＩＧ', 'ＦＥＲＴ', 'BERARB'])
      expect(await found(text), text).toEqual([run]);
    for (const text of ['1000', '100_', '%1']) expect(await found(text), text).toEqual([]);
  });
});

inOneWorld('stdio', 'sqlite', (test) => {
  test(requires('common.configuration'), async ({ world }) => {
    const path = join(world.project, '.sekisho/config.yaml');
    const starts = async () => {
      const lines = (await journal(world)).filter((one) => one.kind === 'server.started');
      return lines.map((one) => [one.subject, one.data['configuration']]);
    };
    // The list of tools is answered after the start was journalled or together with it: wait for the row itself.
    const started = async (count: number) => {
      return (await until('the row of the start', starts, (lines) => lines.length === count)).at(-1);
    };
    const connect = async () => (await world.client()).listTools();
    await connect();
    expect(await started(1)).toEqual(['mcp', null]);
    const digests: string[] = [];
    for (const text of ['lang: en\n', 'lang: en\nidentity: optional\n']) {
      world.write('.sekisho/config.yaml', text);
      digests.push(createHash('sha256').update(readFileSync(path)).digest('hex'));
      await connect();
      expect(await started(1 + digests.length)).toEqual(['mcp', digests.at(-1)]);
    }
    await world.daemon();
    expect(await started(4)).toEqual(['daemon', digests.at(-1)]);
  });
});
