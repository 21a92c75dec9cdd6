import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Reply, World } from './world.ts';
import { inOneWorld } from './world.ts';

/** The shipped definitions, each walked from its first state to its last as an agent and a person would. */

interface Walk {
  readonly run: string;
  state(): Promise<Record<string, any>>;
  emit(event: string, more?: object): Promise<Reply>;
  /** Emits and expects to arrive there. */
  to(state: string, event: string, more?: object): Promise<void>;
  /** Emits and expects to stay. */
  stays(event: string, more?: object): Promise<Reply>;
}

async function begin(world: World, process: string, context: object): Promise<Walk> {
  const { value } = await world.call('state_gate.create_run', { process_id: process, context });
  const run = String(value['run_id']);
  const state = async () => (await world.call('state_gate.get_state', { run_id: run })).value;
  const emit = async (event: string, more: object = {}) => {
    const { revision } = await state();
    return world.call('state_gate.emit_event', {
      run_id: run,
      event_name: event,
      expected_revision: revision,
      idempotency_key: `${event}-${revision}`,
      ...more,
    });
  };
  const arrive = async (wanted: string, event: string, more: object = {}) => {
    const reply = await emit(event, more);
    const { current_state } = await state();
    if (current_state !== wanted) throw new Error(`${event} led to ${current_state}, not ${wanted}: ${reply.text}`);
    return reply;
  };
  return {
    run,
    state,
    emit,
    to: async (wanted, event, more) => void (await arrive(wanted, event, more)),
    stays: async (event, more) => arrive((await state())['current_state'] as string, event, more),
  };
}

const files = (world: World, ...paths: string[]) => ({
  artifact_paths: paths.map((path) => world.write(path, `content of ${path}`)),
});

const walks: Readonly<Record<string, (world: World) => Promise<Walk>>> = {
  async exploration(world) {
    const walk = await begin(world, 'exploration', { question: 'Why is it slow?' });
    expect((await walk.state())['current_state_prompt']).toContain('Question: Why is it slow?');
    await walk.stays('submit_observation', files(world, 'observations/1.md', 'observations/2.md'));
    // A copy is no third observation.
    await walk.stays('submit_observation', {
      artifact_paths: [world.write('observations/copy.md', 'content of observations/1.md')],
    });
    await walk.to('synthesize', 'submit_observation', files(world, 'observations/deep/3.md'));
    await walk.to('decide', 'submit_synthesis', files(world, 'synthesis.md'));
    await walk.to('observe', 'look_again', { payload: { reason: 'the numbers contradict each other' } });
    await walk.to('synthesize', 'submit_observation', files(world, 'observations/4.md'));
    await walk.to('decide', 'submit_synthesis', files(world, 'synthesis.md'));
    const refused = await walk.stays('submit_decision', files(world, 'decision.md'));
    expect(refused.value['error'].code).toBe('INVALID_PAYLOAD');
    await walk.to('decided', 'submit_decision', { ...files(world, 'decision.md'), payload: { answer: 'The index' } });
    return walk;
  },

  async 'explore-plan-implement-verify'(world) {
    const walk = await begin(world, 'explore-plan-implement-verify', { goal: 'Add a flag' });
    expect((await walk.state())['tool_permissions'].denied).toContain('Edit');
    const bare = await walk.stays('submit_exploration');
    expect(bare.value['error'].code).toBe('GUARD_FAILED');
    await walk.to('plan', 'submit_exploration', files(world, 'exploration.md'));
    expect((await walk.stays('submit_changes')).value['error'].code).toBe('INVALID_EVENT');
    await walk.to('implement', 'submit_plan', files(world, 'docs/plan.md'));
    expect((await walk.state())['tool_permissions']).toBeNull();
    await walk.to('plan', 'replan', { payload: { reason: 'the flag exists' } });
    await walk.to('implement', 'submit_plan', files(world, 'docs/plan.md'));
    await walk.to('verify', 'submit_changes', files(world, 'changes.md'));
    const report = (passed: boolean) => ({
      artifact_paths: [
        world.write('out/verification.json', JSON.stringify({ ok: passed, checks: [{ name: 'tests', passed }] })),
      ],
    });
    await walk.stays('submit_verification', report(false));
    await walk.to('implement', 'rework', { payload: { reason: 'tests' } });
    await walk.to('verify', 'submit_changes', files(world, 'changes.md'));
    await walk.to('done', 'submit_verification', report(true));
    return walk;
  },

  async release(world) {
    const walk = await begin(world, 'release', { version: '1.4.0' });
    const person = await world.client({ role: 'human' });
    const testsThat = (script: string) => world.write('package.json', JSON.stringify({ scripts: { test: script } }));
    testsThat('node -e "process.exit(3)"');
    const notes = files(world, 'docs/release-notes.md');
    await walk.stays('submit_notes', notes);
    const failing = await walk.stays('submit_notes', notes);
    expect(failing.value['error']).toMatchObject({ code: 'GUARD_FAILED' });
    expect(failing.value['error'].details.missing_guards[0]).toContain('tests_pass: "npm test" failed');
    testsThat('node -e 0');
    await walk.to('review', 'submit_notes', notes);
    expect((await walk.stays('approve')).value['error'].code).toBe('FORBIDDEN');
    const rejected = await world.call('reject', { run_id: walk.run, comment: 'the date' }, person);
    expect(rejected.value).toMatchObject({ transition: { from_state: 'review', to_state: 'prepare' } });
    world.write('docs/release-notes.md', 'with the date');
    await walk.to('review', 'submit_notes', { artifact_paths: ['docs/release-notes.md'] });
    const approved = await world.call('approve', { run_id: walk.run, comment: 'fine' }, person);
    expect(approved.value).toMatchObject({ transition: { to_state: 'released' }, is_final: true });
    return walk;
  },
};

const shipped = readdirSync(join(import.meta.dirname, '../../processes')).map((name) => name.replace(/\.yaml$/, ''));

describe.each(['stdio', 'http'] as const)('the shipped processes over %s', (surface) => {
  inOneWorld(surface, 'sqlite', (test) => {
    test('are listed, and a project’s own of the same id wins', async ({ world }) => {
      const listed = async () => (await world.call('state_gate.list_processes')).value['processes'];
      expect((await listed()).map((one: { process_id: string }) => one.process_id)).toEqual(shipped.toSorted());
      const own = world.write(
        '.sekisho/processes/release.yaml',
        'id: release\nversion: "9"\ninitial_state: a\nstates: [{ name: a, is_final: true }]\nevents: []\ntransitions: []\n',
      );
      const mine = (await listed()).find((one: { process_id: string }) => one.process_id === 'release');
      expect(mine).toMatchObject({ version: '9', source: own });
      world.write(own, 'id: elsewhere\n');
    });

    test.for(shipped)('%s leads to its end', async (process, { world }) => {
      const walk = await walks[process]?.(world);
      const state = await walk?.state();
      expect(state).toMatchObject({ process_id: process, is_final: true, allowed_events: [] });
    });
  });
});
