import { expect } from 'vitest';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { type World, inTwoWorlds } from './world.ts';

const definition = `id: asking
version: "1"
initial_state: work
states: [{ name: work }, { name: review }, { name: done, is_final: true }]
events: [{ name: submit }, { name: approve, allowed_roles: [reviewer] }, { name: reject, allowed_roles: [reviewer] }]
transitions:
  - { from: work, event: submit, to: review }
  - { from: review, event: approve, to: done }
  - { from: review, event: reject, to: work }
`;

/** A run that waits for a person, at revision 1. */
async function submitted(world: World): Promise<string> {
  const { value } = await world.call('state_gate.create_run', { process_id: 'asking' });
  const run_id = value['run_id'] as string;
  const event = { run_id, event_name: 'submit', expected_revision: 0, idempotency_key: 'submit' };
  const { result } = (await world.call('state_gate.emit_event', event)).value;
  expect(result['waits_for_person']).toContain(`sekisho approve ${run_id}`);
  expect(result['waits_for_person']).toContain('wait_ms: 50000, since_revision: 1');
  return run_id;
}

/** A client of its own that waits in a process of its own; `progressed` is called each time that it hears of progress. */
async function wait(world: World, input: object, progressed?: (message: string) => unknown, signal?: AbortSignal) {
  const client = await world.client();
  let heard = 0;
  const onprogress = ({ message }: { message?: string | undefined }) => {
    heard++;
    progressed?.(String(message));
  };
  const answer = await client.callTool(
    { name: 'state_gate.get_state', arguments: { wait_ms: 50_000, ...input } },
    { onprogress, ...(signal !== undefined && { signal }) },
  );
  return { ...(answer.structuredContent as Record<string, unknown>), heard };
}

/** It hears of progress every ten seconds: four times, where it waited until the time was over. */
const early = expect.toSatisfy((heard: number) => heard < 4);

inTwoWorlds('waiting for a run', (test) => {
  test.beforeEach(({ world }) => void world.write('.sekisho/processes/asking.yaml', definition));

  test(`${requires('gate.get_state.wait')} ${requires('gate.get_state.wait-progress')}`, async ({ world }) => {
    const [run_id, other] = [await submitted(world), await submitted(world)];
    const cancel = new AbortController();
    const cancelled = expect(wait(world, { run_id }, () => cancel.abort(), cancel.signal)).rejects.toThrow();
    const shell = world.cli([
      'gate',
      'get-state',
      '--run-id',
      run_id,
      '--wait-ms',
      '50000',
      '--since-revision',
      '1',
      '--json',
    ]);
    const messages: string[] = [];
    const waited = wait(world, { run_id }, (message) => messages.push(message));
    expect(await until('it tells that it waits', () => messages[0])).toBe('review');
    await cancelled;
    expect((await world.person(['admin', 'approve', '--run-id', run_id, '--json'])).code).toBe(0);
    // It looks every ten seconds too: only one that was woken answers before this one, whose run does not change.
    const sleep = wait(world, { run_id: other, wait_ms: 6000 });
    expect(await Promise.race([waited, sleep])).toMatchObject({ run_id, revision: 2, current_state: 'done' });
    expect(await shell).toMatchObject({ code: 0, json: { revision: 2, current_state: 'done' } });
    expect(await sleep).toMatchObject({ run_id: other, revision: 1 });
  });

  story(test, 'answers', (clause) => {
    clause(requires('gate.get_state.wait-known'), async ({ world }) => {
      const run_id = await submitted(world);
      expect((await world.person(['admin', 'reject', '--run-id', run_id, '--json'])).code).toBe(0);
      const known = { run_id, since_revision: 1 };
      expect(await wait(world, known)).toMatchObject({ revision: 2, current_state: 'work', heard: early });
      const again = { run_id, event_name: 'submit', expected_revision: 2, idempotency_key: 'again' };
      await world.call('state_gate.emit_event', again);
      await world.person(['admin', 'approve', '--run-id', run_id, '--json']);
      expect(await wait(world, { run_id })).toMatchObject({ is_final: true, heard: early });
    });

    clause(requires('gate.get_state.wait-limits'), async ({ world }) => {
      const run_id = await submitted(world);
      const state = async (input: object) => (await world.call('state_gate.get_state', { run_id, ...input })).value;
      expect(await state({ wait_ms: 1 })).toMatchObject({ revision: 1, current_state: 'review' });
      expect((await state({ wait_ms: 50_001 }))['error']).toMatchObject({ code: 'INVALID_PAYLOAD' });
      const unknown = await state({ run_id: 'run-unknown', wait_ms: 50_000 });
      expect(unknown['error']).toMatchObject({ code: 'RUN_NOT_FOUND' });
    });
  });
});
