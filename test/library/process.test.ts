import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Step, lint, walk } from '../../src/library/process.ts';
import { type World, inOneWorld } from '../e2e/world.ts';

const shipped = join(import.meta.dirname, '../../processes');
const read = (name: string) => readFileSync(join(shipped, name), 'utf8');

const errand = `id: errand
version: "1"
initial_state: buy
context_schema: { type: object, properties: { price: { type: number } } }
states:
  - { name: buy }
  - { name: check }
  - { name: done, is_final: true }
events:
  - name: bought
    payload_schema: { type: object, required: [price], properties: { price: { type: number } } }
  - { name: wander }
  - { name: approve, allowed_roles: [reviewer], context: false }
  - { name: reject, allowed_roles: [reviewer], context: false }
transitions:
  - { from: buy, event: bought, to: check, guards: [receipt, cheap, { type: not, guard: lost }] }
  - { from: check, event: approve, to: done, guard: signed }
  - { from: check, event: reject, to: buy }
guards:
  receipt: { type: artifact, artifact_type: receipt, contains: ["## Total"] }
  cheap: { type: expression, expression: "context.price < 10" }
  lost: { type: artifact_exists, paths: [lost.md] }
  signed: { type: approval, role: reviewer }
artifacts: [{ type: receipt, path: "receipts/*.md" }]
roles: [{ name: reviewer, allowed_events: [approve, reject], can_approve: true, can_reject: true }]
`;

/** The same steps, taken by a real server and a real person. */
async function takeForReal(world: World, steps: readonly Step[]) {
  world.write('.sekisho/processes/errand.yaml', errand);
  const { run_id } = (await world.call('state_gate.create_run', { process_id: 'errand' })).value;
  const state = async () => (await world.call('state_gate.get_state', { run_id })).value;
  const results: object[] = [];
  for (const [index, { event, payload = {}, artifacts = {}, person }] of steps.entries()) {
    const before = await state();
    const artifact_paths = Object.entries(artifacts).map(([path, text]) => world.write(path, text));
    let answer: Record<string, any>;
    if (person === undefined)
      answer = (
        await world.call('state_gate.emit_event', {
          run_id,
          event_name: event,
          expected_revision: before['revision'],
          idempotency_key: `step-${index}`,
          payload,
          artifact_paths,
        })
      ).value;
    else answer = (await world.person([event, String(run_id), '--json'])).json;
    const after = await state();
    const code = answer['error']?.code;
    results.push({
      event,
      from: before['current_state'],
      to: after['current_state'],
      moved: before['current_state'] !== after['current_state'],
      missing: answer['error']?.details?.missing_guards ?? answer['result']?.missing_guards ?? [],
      ...(code !== undefined && { code }),
    });
  }
  const { current_state, is_final, context } = await state();
  return { state: current_state, isFinal: is_final, context, steps: results };
}

describe('a walk', () => {
  inOneWorld('stdio', 'sqlite', (inWorld) => {
    inWorld('decides each step as the gate does', async ({ world }) => {
      const receipt = { 'receipts/one.md': '## Total\n9\n' };
      const steps: readonly Step[] = [
        { event: 'fly' },
        { event: 'approve' },
        { event: 'wander' },
        { event: 'bought', payload: { price: 'much' } },
        { event: 'bought', payload: { price: 12 } },
        { event: 'bought', payload: { price: 12 }, artifacts: { 'receipts/one.md': 'nothing in it' } },
        { event: 'bought', payload: { price: 12 }, artifacts: receipt },
        { event: 'bought', payload: { price: 9, note: 'kept' } },
        { event: 'reject', person: 'ann' },
        { event: 'bought', payload: { price: 8 } },
        { event: 'approve', person: 'ann' },
        { event: 'bought', payload: { price: 8 } },
      ];
      const { steps: taken, ...end } = await walk(errand, steps);
      const flat = taken.map(({ refused, ...one }) => ({ ...one, ...(refused && { code: refused.code }) }));
      expect({ ...end, steps: flat }).toEqual(await takeForReal(world, steps));
      expect(end).toMatchObject({ state: 'done', isFinal: true });
    });
  });

  test('asks for the outcome of a program instead of running it, and believes what it is told of the work tree', async () => {
    const note = '## Fault\nIt greets in English only.\n\n## Cause\nThe greeting has one language.\n';
    const handIn: Step = { event: 'submit_reproduction', artifacts: { 'reproduction.md': note } };
    const { state, steps } = await walk(read('bug-fix.yaml'), [
      { ...handIn, changed: ['src/greet.js'], facts: { tests_pass: false } },
      { ...handIn, changed: ['test/greet.test.js'] },
      { event: 'submit_reproduction', changed: ['test/greet.test.js'], facts: { tests_pass: false } },
      { event: 'submit_fix', changed: ['src/greet.js'], facts: { tests_pass: false } },
      { event: 'submit_fix', changed: ['src/greet.js'], facts: { tests_pass: true } },
      { event: 'approve', person: 'ann' },
    ]);
    expect(steps.map((one) => one.to)).toEqual(['reproduce', 'reproduce', 'fix', 'fix', 'review', 'fixed']);
    expect(steps[0]?.missing.join()).toContain('src/greet.js');
    expect(steps[1]?.missing).toEqual([expect.stringContaining('facts: { tests_pass: true }')]);
    expect(steps[3]).toMatchObject({ refused: { code: 'GUARD_FAILED' } });
    expect(state).toBe('fixed');
  });

  test('counts people, and nobody twice', async () => {
    const two = errand.replace('type: approval,', 'type: approval, min_count: 2,');
    const bought: Step = {
      event: 'bought',
      person: 'ann',
      payload: { price: 1 },
      artifacts: { 'receipts/one.md': '## Total\n1\n' },
    };
    const approvals = ['ann', 'bob', 'bob', 'eve'].map((person): Step => ({ event: 'approve', person }));
    const { steps } = await walk(two, [bought, ...approvals]);
    // Ann handed the receipt in, so her yes does not count.
    expect(steps.map((one) => one.to)).toEqual(['check', 'check', 'check', 'check', 'done']);
    expect(steps[1]?.refused?.code).toBe('GUARD_FAILED');
    expect(steps[2]?.refused).toBeUndefined();
  });

  test('of a process with an error throws its place', async () => {
    await expect(walk(errand.replace('to: done', 'to: gone'), [])).rejects.toThrow(
      /^process\.yaml:17:40 UNKNOWN_STATE/m,
    );
  });
});

describe('lint', () => {
  test('finds nothing in the shipped processes', () => {
    for (const name of readdirSync(shipped))
      expect(lint(read(name)).filter((one) => one.severity === 'error')).toEqual([]);
  });

  test('says what is wrong, where, and what to do, in the language that is asked for', () => {
    const broken = errand.replace('to: done', 'to: gone');
    const place = { file: 'errand.yaml', line: broken.split('\n').findIndex((line) => line.includes('gone')) + 1 };
    const found = lint(broken, { file: 'errand.yaml' });
    expect(found).toContainEqual(
      expect.objectContaining({
        ...place,
        code: 'UNKNOWN_STATE',
        severity: 'error',
        message: expect.stringContaining('gone'),
      }),
    );
    expect(found.every((one) => one.remedy !== '')).toBe(true);
    expect(lint(broken, { lang: 'ja' })[0]?.message).toMatch(/\p{Script=Hiragana}/u);
  });
});
