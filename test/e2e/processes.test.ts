import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Reply, type World, inOneWorld } from './world.ts';
import { row } from '../setup/security.ts';

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

const filler = 'It was read from end to end, and this line is here because a note of three words explains nothing. ';

/** A note that is long enough and has the headings. */
const note = (path: string, ...headings: readonly string[]) =>
  [`# ${path}`, ...headings.flatMap((one) => ['', one, filler, filler]), filler, filler, ''].join('\n');

const files = (world: World, ...paths: string[]) => ({
  artifact_paths: paths.map((path) => world.write(path, note(path))),
});

const hand = (world: World, path: string, ...headings: readonly string[]) => ({
  artifact_paths: [world.write(path, note(path, ...headings))],
});

/** What a refusal or an acceptance that moved nothing still misses. */
const missing = (reply: Reply): string =>
  ((reply.value['error']?.details?.missing_guards ?? reply.value['result']?.missing_guards ?? []) as string[]).join(
    '\n',
  );

const codeOf = (reply: Reply): unknown => reply.value['error']?.code;

/** A project whose tests are its own: `node --test` runs what lies in test/. */
function plant(world: World, withGit: boolean): void {
  world.write('.sekisho/config.yaml', 'test: [node, --test]\n');
  if (withGit) execFileSync('git', ['init', '-q'], { cwd: world.project });
  world.write('src/add.mjs', 'export const add = (a, b) => a - b;\n');
  world.write('test/add.test.mjs', testOf('add(0, 0)', 0));
}

const testOf = (call: string, result: number) =>
  `import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from '../src/add.mjs';\n` +
  `test('adds', () => assert.equal(${call}, ${result}));\n`;

const right = 'export const add = (a, b) => a + b;\n';

const walks: Readonly<Record<string, (world: World) => Promise<Walk>>> = {
  async exploration(world) {
    const walk = await begin(world, 'exploration', { goal: 'Why is it slow?' });
    expect((await walk.state())['current_state_prompt']).toContain('Question: Why is it slow?');
    await walk.stays('submit_observation', files(world, 'observations/1.md', 'observations/2.md'));
    // A copy is no third observation.
    await walk.stays('submit_observation', {
      artifact_paths: [world.write('observations/copy.md', note('observations/1.md'))],
    });
    await walk.to('synthesize', 'submit_observation', files(world, 'observations/deep/3.md'));
    await walk.to('decide', 'submit_synthesis', files(world, 'synthesis.md'));
    await walk.to('observe', 'look_again', { payload: { reason: 'the numbers contradict each other' } });
    await walk.to('synthesize', 'submit_observation', files(world, 'observations/4.md'));
    await walk.to('decide', 'submit_synthesis', files(world, 'synthesis.md'));
    const refused = await walk.stays('submit_decision', files(world, 'decision.md'));
    expect(codeOf(refused)).toBe('INVALID_PAYLOAD');
    await walk.to('decided', 'submit_decision', { ...files(world, 'decision.md'), payload: { answer: 'The index' } });
    return walk;
  },

  async 'explore-plan-implement-verify'(world) {
    const walk = await begin(world, 'explore-plan-implement-verify', { goal: 'Add a flag' });
    expect((await walk.state())['tool_permissions'].denied).toContain('Write');
    expect(codeOf(await walk.stays('submit_exploration'))).toBe('GUARD_FAILED');
    const empty = await walk.stays('submit_exploration', { artifact_paths: [world.write('exploration.md', '')] });
    expect(empty.text).toContain('an empty file cannot be evidence');
    const thin = await walk.stays('submit_exploration', { artifact_paths: [world.write('exploration.md', 'seen it')] });
    expect(missing(thin)).toContain('fewer than 40 bytes');
    // Whatever tool did it: the work tree shows it.
    execFileSync('sed', ['-i', 's/a - b/a + b/', 'src/add.mjs'], { cwd: world.project });
    const edited = await walk.stays('submit_exploration', hand(world, 'exploration.md'));
    expect(edited.value['result']).toMatchObject({ accepted: true, moved: false });
    expect(missing(edited)).toContain('src/add.mjs');
    world.write('src/hidden.mjs', 'x');
    world.write('.gitignore', 'src/\n');
    expect(missing(await walk.stays('submit_exploration'))).toContain('src/hidden.mjs');
    rmSync(join(world.project, 'src/hidden.mjs'));
    rmSync(join(world.project, '.gitignore'));
    world.write('src/add.mjs', 'export const add = (a, b) => a - b;\n');
    await walk.to('plan', 'submit_exploration');

    expect(codeOf(await walk.stays('submit_changes'))).toBe('INVALID_EVENT');
    const vague = await walk.stays('submit_plan', hand(world, 'plan.md', '## Steps'));
    expect(missing(vague)).toContain('no line "## Checks"');
    world.write('src/early.mjs', 'x');
    const early = await walk.stays('submit_plan', hand(world, 'plan.md', '## Steps', '## Checks'));
    expect(missing(early)).toContain('src/early.mjs');
    rmSync(join(world.project, 'src/early.mjs'));
    await walk.to('implement', 'submit_plan');
    expect((await walk.state())['tool_permissions']).toBeNull();
    await walk.to('plan', 'replan', { payload: { reason: 'the flag exists' } });
    await walk.to('implement', 'submit_plan');

    world.write('test/add.test.mjs', testOf('add(1, 2)', 3));
    await walk.to('verify', 'submit_changes', hand(world, 'changes.md'));
    // The agent says that it works; the tests say otherwise.
    world.write('verification.json', '{"ok":true,"checks":[{"name":"tests","passed":true}]}');
    expect(missing(await walk.stays('verify'))).toContain('verification.json');
    rmSync(join(world.project, 'verification.json'));
    expect(missing(await walk.stays('verify'))).toContain('exit code (current: 1, required: 0)');
    // Mending while nothing is to be edited any more.
    world.write('src/add.mjs', right);
    expect(missing(await walk.stays('verify'))).toContain('src/add.mjs');
    await walk.to('implement', 'rework', { payload: { reason: 'tests' } });
    await walk.to('verify', 'submit_changes');
    await walk.to('done', 'verify');
    return walk;
  },

  async release(world) {
    const walk = await begin(world, 'release', { goal: '1.4.0' });
    const person = await world.client({ role: 'human' });
    world.write('test/add.test.mjs', testOf('add(1, 2)', 3));
    const notes = hand(world, 'docs/release-notes.md');
    await walk.stays('submit_notes', notes);
    const failing = await walk.stays('submit_notes', notes);
    expect(codeOf(failing)).toBe('GUARD_FAILED');
    expect(missing(failing)).toContain('tests_pass: "node --test" failed');
    world.write('src/add.mjs', right);
    await walk.to('review', 'submit_notes', notes);
    expect(codeOf(await walk.stays('approve'))).toBe('FORBIDDEN');
    const rejected = await world.call('reject', { run_id: walk.run, comment: 'the date' }, person);
    expect(rejected.value).toMatchObject({ transition: { from_state: 'review', to_state: 'prepare' } });
    world.write('docs/release-notes.md', note('with the date'));
    await walk.to('review', 'submit_notes', { artifact_paths: ['docs/release-notes.md'] });
    // Something slips in after the tests: what would be released is not what was tested.
    world.write('src/late.mjs', 'x');
    const late = await world.call('approve', { run_id: walk.run, comment: 'fine' }, person);
    expect(late.value).toMatchObject({ moved: false, missing_guards: [expect.stringContaining('src/late.mjs')] });
    rmSync(join(world.project, 'src/late.mjs'));
    const approved = await world.call('approve', { run_id: walk.run, comment: 'fine' }, person);
    expect(approved.value).toMatchObject({ transition: { to_state: 'released' }, is_final: true, moved: true });
    return walk;
  },

  async 'bug-fix'(world) {
    const walk = await begin(world, 'bug-fix', { goal: 'add subtracts' });
    const person = await world.client({ role: 'human' });
    const told = hand(world, 'reproduction.md', '## Fault', '## Cause');
    // A story without a test that fails.
    await walk.stays('submit_reproduction', told);
    expect(missing(await walk.stays('submit_reproduction'))).toContain('tests_pass is satisfied, but must not be');
    world.write('test/add.test.mjs', testOf('add(1, 2)', 3));
    world.write('src/add.mjs', right);
    expect(missing(await walk.stays('submit_reproduction'))).toContain('src/add.mjs');
    world.write('src/add.mjs', 'export const add = (a, b) => a - b;\n');
    await walk.to('fix', 'submit_reproduction');

    expect(missing(await walk.stays('submit_fix'))).toContain('no file that matches');
    // The test is taken away instead of the fault.
    rmSync(join(world.project, 'test/add.test.mjs'));
    expect(missing(await walk.stays('submit_fix'))).toContain('test/add.test.mjs');
    world.write('test/add.test.mjs', testOf('add(1, 2)', 3));
    world.write('src/add.mjs', 'export const add = (a, b) => a * b;\n');
    expect(missing(await walk.stays('submit_fix'))).toContain('tests_pass: "node --test" failed');
    world.write('src/add.mjs', right);
    await walk.to('review', 'submit_fix');
    expect(codeOf(await walk.stays('approve'))).toBe('FORBIDDEN');
    await world.call('reject', { run_id: walk.run, comment: 'say why' }, person);
    world.write('src/add.mjs', `// Both are added.\n${right}`);
    await walk.to('review', 'submit_fix');
    const approved = await world.call('approve', { run_id: walk.run }, person);
    expect(approved.value).toMatchObject({ transition: { to_state: 'fixed' }, is_final: true });
    const { value } = await world.call('state_gate.get_history', { run_id: walk.run });
    expect(JSON.stringify(value['events'].at(-1))).toContain('.sekisho/difference.patch');
    return walk;
  },

  async review(world) {
    const walk = await begin(world, 'review', { goal: 'add' });
    const person = await world.client({ role: 'human' });
    world.write('src/add.mjs', right);
    const mended = await walk.stays('submit_review', hand(world, 'review.md', '## Findings'));
    expect(missing(mended)).toContain('src/add.mjs');
    world.write('src/add.mjs', 'export const add = (a, b) => a - b;\n');
    await walk.to('address', 'submit_review');
    // The findings are rewritten rather than answered.
    world.write('review.md', note('review.md', '## Findings', 'none'));
    expect(missing(await walk.stays('submit_answers', hand(world, 'answers.md', '## Answers')))).toContain('review.md');
    world.write('review.md', note('review.md', '## Findings'));
    world.write('src/add.mjs', 'export const add = (a, b) => { throw new Error(); };\n');
    expect(missing(await walk.stays('submit_answers'))).toContain('tests_pass');
    world.write('src/add.mjs', right);
    await walk.to('decide', 'submit_answers');
    expect(codeOf(await walk.stays('approve'))).toBe('FORBIDDEN');
    const approved = await world.call('approve', { run_id: walk.run }, person);
    expect(approved.value).toMatchObject({ transition: { to_state: 'accepted' }, is_final: true });
    const { value } = await world.call('state_gate.get_history', { run_id: walk.run });
    expect(JSON.stringify(value['events'].at(-1))).toContain('.sekisho/difference.patch');
    return walk;
  },
};

const shipped = readdirSync(join(import.meta.dirname, '../../processes')).map((name) => name.replace(/\.yaml$/, ''));

describe.each(['stdio', 'http'] as const)('the shipped processes over %s', (surface) => {
  inOneWorld(surface, 'sqlite', (test) => {
    test('are listed, and a project’s own of the same id wins once it is trusted', async ({ world }) => {
      const listed = async () => (await world.call('state_gate.list_processes')).value['processes'];
      expect((await listed()).map((one: { process_id: string }) => one.process_id)).toEqual(shipped.toSorted());
      const own = world.write(
        '.sekisho/processes/release.yaml',
        'id: release\nversion: "9"\ninitial_state: a\nstates: [{ name: a, is_final: true }]\nevents: []\ntransitions: []\n',
      );
      const mine = async () => (await listed()).find((one: { process_id: string }) => one.process_id === 'release');
      // Not before a person has seen it.
      expect((await mine()).version).not.toBe('9');
      expect((await world.person(['trust', own, '--json'])).code).toBe(0);
      expect(await mine()).toMatchObject({ version: '9', source: own });
      world.write(own, 'id: elsewhere\n');
    });

    test.for(shipped)(`${row('evidence.outcome')} %s leads to its end`, async (process, { world }) => {
      plant(world, surface === 'stdio');
      const walk = await walks[process]?.(world);
      const state = await walk?.state();
      expect(state).toMatchObject({ process_id: process, is_final: true, allowed_events: [] });
    });
  });
});
