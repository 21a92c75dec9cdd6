import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeWaiting } from './dashboard-world.ts';
import { requires } from './requirements.ts';
import { atTerminal } from './terminal.ts';
import { openOffice } from './work-world.ts';
import { inOneWorld, inTwoWorlds } from './world.ts';

inTwoWorlds('abort', (test) => {
  test(requires('gate.abort'), async ({ world }) => {
    copyFileSync(
      join(import.meta.dirname, '../fixtures/processes/verified.yaml'),
      join(world.project, '.sekisho/processes/verified.yaml'),
    );
    const office = await openOffice(world);
    const project = await office.project('p');
    const task = await office.task(project, 'Look at it', 'in_progress', { process_id: 'verified' });
    const { run_id: run } = await office.read(task);
    const short = String(run).slice(0, 'run-'.length + 13);
    const aborted = { by: expect.any(String), since: expect.any(String), reason: 'The customer left' };
    const line = ['abort', short, '--reason', 'The customer left', '--json'];
    expect(await world.person(line)).toMatchObject({ code: 0, json: { run_id: run, aborted, already: false } });
    expect(await world.person(line)).toMatchObject({ code: 0, json: { run_id: run, aborted, already: true } });
    // Its task is blocked, and a retry begins a new run.
    expect(await office.read(task)).toMatchObject({ status: 'blocked', summary: 'run aborted: The customer left' });
    await office.move(task, 'in_progress');
    const { run_id: next } = await office.read(task);
    expect(next).not.toBe(run);
    const { value } = await world.call('state_gate.list_runs');
    expect(value['runs']).toMatchObject([
      { run_id: next, status: 'open' },
      { run_id: run, status: 'aborted', is_final: true },
    ]);
    const event = { run_id: run, event_name: 'submit', expected_revision: 1, idempotency_key: 'late' };
    const late = await world.call('state_gate.emit_event', event);
    expect(late).toMatchObject({ isError: true, value: { error: { code: 'INVALID_EVENT' } } });
    expect(late.text).toContain('The customer left');
    // What waited for a person waits no more.
    const waiting = await makeWaiting(world);
    expect((await world.person(['approve', '--json'])).json['waiting']).toMatchObject([{ run_id: waiting }]);
    await world.person(['abort', waiting, '--reason', 'No', '--json']);
    expect((await world.person(['approve', '--json'])).json['waiting']).toEqual([]);
    expect(await world.person(['approve', waiting, '--json'])).toMatchObject({
      code: 1,
      json: { code: 'INVALID_EVENT' },
    });
    expect((await world.cli(['status', '--json'])).json).toMatchObject({ run: null, waiting: [] });
    const { entries } = (await world.cli(['log', short, '--json'])).json;
    expect(entries.at(-1)).toMatchObject({ kind: 'run.aborted', data: { reason: 'The customer left' } });
    expect((await world.cli(['journal', 'verify', '--json'])).code).toBe(0);
  });
});

inOneWorld('stdio', 'sqlite', (test) => {
  test(requires('gate.abort.person'), async ({ world }) => {
    const run = await makeWaiting(world);
    const agent = await world.cli(['abort', run, '--reason', 'I want out', '--json']);
    expect(agent).toMatchObject({ code: 1, json: { code: 'FORBIDDEN' } });
    expect(agent.stdout).toContain('sekisho abort <run>');
    expect((await (await world.client()).listTools()).tools.map((one) => one.name)).not.toContain('abort_run');
    const posing = await world.person(['abort', run, '--reason', 'I want out', '--json'], { env: { CLAUDECODE: '1' } });
    expect(posing.code).toBe(1);
    const silent = await world.person(['abort', run, '--json']);
    expect(silent).toMatchObject({ code: 1, json: { code: 'VALIDATION_ERROR' } });
    expect((await world.person(['abort', '--json'])).code).toBe(2);
    const state = async () => (await world.cli(['gate', 'get-state', '--run-id', run, '--json'])).json;
    const why = 'Why do you want to abort it?';
    const empty = await atTerminal(world, ['abort', run.slice(0, 17)], { answers: { [why]: '' } });
    expect(empty.code).toBe(1);
    expect(await state()).toMatchObject({ status: 'open' });
    const asked = await atTerminal(world, ['abort', run.slice(0, 17)], { answers: { [why]: 'Not needed' } });
    expect(asked.code).toBe(0);
    expect(asked.text).toContain('Note');
    expect(await state()).toMatchObject({ status: 'aborted', aborted: { reason: 'Not needed' } });
    const completed = await makeWaiting(world, 'Another note.\n');
    await world.person(['approve', completed, '--json']);
    expect(await world.person(['abort', completed, '--reason', 'Too late', '--json'])).toMatchObject({
      code: 1,
      json: { code: 'RUN_COMPLETED' },
    });
  });
});
