import { copyFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { type World, inOneWorld, inTwoWorlds } from './world.ts';

const fixtures = join(import.meta.dirname, '../fixtures/processes');
let keys = 0;

function install(world: World, name: string): void {
  copyFileSync(join(fixtures, `${name}.yaml`), join(world.project, '.sekisho/processes', `${name}.yaml`));
}

const begin = (world: World, process: string, more: object = {}, client?: Parameters<World['call']>[2]) =>
  world.call('state_gate.create_run', { process_id: process, ...more }, client);

async function emit(world: World, run: string, event: string, revision: number, more: object = {}) {
  const request = { run_id: run, event_name: event, expected_revision: revision, idempotency_key: `word-${++keys}` };
  return (await world.call('state_gate.emit_event', { ...request, ...more })).value;
}

/** A process of one step from `a` to `b` that this clause alone needs. */
function define(world: World, id: string, rest: string): string {
  world.write(
    `.sekisho/processes/${id}.yaml`,
    `id: ${id}\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\n${rest}`,
  );
  return id;
}

const oneStep = 'events: [{ name: go }]\ntransitions: [{ from: a, event: go, to: b, guard: g }]\n';
const moved = (answer: Record<string, any>) => answer['result']?.transition.to_state as string | undefined;

inTwoWorlds('the process language', (test) => {
  story(test, 'definitions', (clause) => {
    clause(requires('gate.definitions.reference'), async ({ world }) => {
      install(world, 'reference-loop');
      install(world, 'reference-errands');
      const loop = (await begin(world, 'reference-loop')).value['run_id'] as string;
      const file = (path: string) => world.write(path, path);
      const first = { payload: { text: 'salt' }, artifact_paths: [file('notes/hypothesis.md')] };
      expect(moved(await emit(world, loop, 'submit_hypothesis', 0, first))).toBe('observe');
      const tastings = { artifact_paths: [file('tasting_1.md'), file('tasting_2.md')] };
      expect(moved(await emit(world, loop, 'submit_tasting', 1, tastings))).toBe('decide');
      expect(moved(await emit(world, loop, 'finalize', 2))).toBe('complete');

      const errand = (await begin(world, 'reference-errands')).value['run_id'] as string;
      const intake = await emit(world, errand, 'submit_request', 0, { payload: { request: 'tidy up' } });
      expect(intake['result'].new_state_prompt).toContain('**Errand**: tidy up');
      await emit(world, errand, 'look', 1);
      expect((await emit(world, errand, 'rework', 2))['error'].code).toBe('GUARD_FAILED');
      expect(moved(await emit(world, errand, 'rework', 2, { artifact_paths: [file('findings.md')] }))).toBe('rework');
      expect((await emit(world, errand, 'needs_clear', 3))['result']).toMatchObject({ is_final: true });
      // There a run goes on after its end; here it is over, and lint says so.
      expect((await emit(world, errand, 'reset_to_idle', 4))['error'].code).toBe('INVALID_EVENT');
    });

    clause(requires('gate.definitions.together'), async ({ world }) => {
      world.write(
        '.sekisho/processes/wrong.yaml',
        `id: wrong
version: "1"
initial_state: nowhere
states: [{ name: a, promt: x }, { name: z, is_final: maybe }]
events: [{ name: go }]
transitions:
  - { from: a, event: go }
  - { from: a, event: leap, to: z, guard: g }
guards: { g: { type: artifact, artifact_type: plan, condition: count, min_count: many } }
`,
      );
      const { value } = await begin(world, 'wrong');
      expect(value['error'].code).toBe('PROCESS_INVALID');
      const problems = value['error'].details.problems as { code: string; line: number; message: string }[];
      expect(problems.map((one) => `${one.line} ${one.code}`)).toEqual(
        expect.arrayContaining([
          '3 UNKNOWN_STATE',
          '4 UNKNOWN_FIELD',
          '4 BAD_FIELD',
          '7 MISSING_FIELD',
          '8 UNKNOWN_EVENT',
          '9 BAD_GUARD',
        ]),
      );
      const said = problems.map((one) => one.message).join('\n');
      expect(said).toContain('is_final must be true or false');
      expect(said).toContain('min_count must be a number');
      expect(said).not.toMatch(/Invalid input|expected \w+, received/);
      world.write('.sekisho/processes/empty.yaml', '');
      world.write('.sekisho/processes/several.yaml', 'id: one\n---\nid: two\n');
      const { value: known } = await world.call('state_gate.list_processes');
      const broken = JSON.stringify(known['broken'] ?? known);
      expect(broken).toContain('The file is empty.');
      expect(broken).toContain('several YAML documents');
      expect(broken).not.toContain('parseAllDocuments');
      for (const name of ['wrong', 'empty', 'several']) rmSync(join(world.project, `.sekisho/processes/${name}.yaml`));
    });

    clause(requires('gate.guards.undefined'), async ({ world }) => {
      const conditions = ['equals', 'not_equals', 'in', 'not_in', 'exists', 'not_exists'];
      const compared = (condition: string) =>
        condition.endsWith('exists') ? '' : `, value: ${condition.endsWith('in') ? '[x]' : 'x'}`;
      const id = define(
        world,
        'unknown-variable',
        `inputs: [v]
events: [${conditions.map((one) => `{ name: ${one} }`).join(', ')}]
transitions: [${conditions.map((one) => `{ from: a, event: ${one}, to: b, guard: ${one} }`).join(', ')}]
guards:
${conditions.map((one) => `  ${one}: { type: context, variable: v, condition: ${one}${compared(one)} }`).join('\n')}
`,
      );
      const holding = async (context: object) => {
        const run = (await begin(world, id, { context })).value['run_id'] as string;
        const { value } = await world.call('state_gate.list_events', { run_id: run });
        return (value['events'] as { event_name: string; transitions: { guard_status: string }[] }[])
          .filter((one) => one.transitions[0]?.guard_status === 'satisfied')
          .map((one) => one.event_name);
      };
      expect(await holding({})).toEqual(['not_exists']);
      expect(await holding({ v: null })).toEqual(['not_equals', 'not_in', 'exists']);
      expect(await holding({ v: 'x' })).toEqual(['equals', 'in', 'exists']);
    });
  });

  story(test, 'what an event does', (clause) => {
    clause(requires('gate.list_events.elsewhere'), async ({ world }) => {
      install(world, 'checkpoint');
      const run = (await begin(world, 'checkpoint')).value['run_id'] as string;
      const elsewhere = async () => {
        const { value } = await world.call('state_gate.list_events', { run_id: run, include_blocked: true });
        return value['events'].find((one: { event_name: string }) => one.event_name === 'submit_synthesis');
      };
      expect(await elsewhere()).toMatchObject({
        is_allowed: false,
        blocked_reason: expect.stringContaining('only in synthesize'),
        transitions: [
          {
            to_state: 'decide',
            guard: 'has_synthesis, is_domain',
            guard_status: 'unsatisfied',
            missing_requirements: [expect.stringContaining('synthesis')],
          },
        ],
      });
      const path = world.write('synthesis.md', 'all of it');
      await emit(world, run, 'submit_observation', 0, { payload: { findings: 'f' }, artifact_paths: [path] });
      expect(await elsewhere()).toMatchObject({ is_allowed: false, transitions: [{ guard_status: 'satisfied' }] });
    });

    clause(requires('gate.create_run.inputs'), async ({ world }) => {
      const guard = 'guards: { g: { type: context, variable: passed, condition: equals, value: true } }\n';
      define(world, 'closed', oneStep + guard);
      define(world, 'open', `inputs: [passed]\n${oneStep}${guard}`);
      const context = { passed: true, other: 1 };
      const refused = (await begin(world, 'closed', { context })).value['error'];
      expect(refused).toMatchObject({
        code: 'INVALID_PAYLOAD',
        details: { validation_errors: [{ path: '/context/passed' }] },
      });
      for (const made of [
        await begin(world, 'open', { context }),
        await begin(world, 'closed', { context }, await world.client({ role: 'human' })),
      ])
        expect(made.value['context']).toEqual(context);
    });

    clause(requires('gate.emit.ignored-keys'), async ({ world }) => {
      define(
        world,
        'ignoring',
        `events: [{ name: go }, { name: stay, context: [kept] }]
transitions: [{ from: a, event: go, to: b, guard: g }, { from: a, event: stay, to: a }]
guards: { g: { type: context, variable: passed, condition: equals, value: true } }
`,
      );
      const run = (await begin(world, 'ignoring')).value['run_id'] as string;
      const refused = await emit(world, run, 'go', 0, { payload: { passed: true } });
      expect(refused['error'].details.missing_guards[0]).toContain('the key "passed" of the payload was not merged');
      const { result } = await emit(world, run, 'stay', 0, { payload: { kept: 1, lost: 2 } });
      expect(result.ignored_keys).toEqual([{ key: 'lost', reason: expect.stringContaining('takes other keys only') }]);
    });

    clause(requires('gate.emit.not-moved'), async ({ world }) => {
      define(
        world,
        'counting',
        `${oneStep}guards: { g: { type: artifact, artifact_type: t, condition: count, min_count: 3 } }\nartifacts: [{ type: t, path: "t*.txt" }]\n`,
      );
      const run = (await begin(world, 'counting')).value['run_id'] as string;
      const answer = await emit(world, run, 'go', 0, { artifact_paths: [world.write('t1.txt', 'one')] });
      expect(answer['result']).toMatchObject({ accepted: true, moved: false });
      expect(answer['result'].missing_guards).toEqual([expect.stringContaining('(current: 1, required: 3)')]);
      const line = ['gate', 'emit-event', '--run-id', run, '--event-name', 'go', '--expected-revision', '1', '--json'];
      const files = ['--artifact-paths', world.write('t2.txt', 'two'), '--idempotency-key', 'from-the-shell'];
      const outcome = await world.cli([...line, ...files]);
      expect(outcome).toMatchObject({ code: 1, json: { success: true, result: { moved: false } } });
      const last = await emit(world, run, 'go', 2, { artifact_paths: [world.write('t3.txt', 'three')] });
      expect(last['result']).toMatchObject({ moved: true });
      expect(last['result']).not.toHaveProperty('missing_guards');
    });

    clause(requires('gate.artifacts.own'), async ({ world }) => {
      define(world, 'own', `${oneStep}guards: { g: { type: artifact_exists, paths: [.sekisho/mine.md] } }\n`);
      world.write('.sekisho/mine.md', 'mine');
      const run = (await begin(world, 'own')).value['run_id'] as string;
      const inside = relative(world.project, join(world.place.data.state, 'user.db'));
      for (const path of ['.sekisho/mine.md', '.sekisho/processes/own.yaml', inside])
        expect((await emit(world, run, 'go', 0, { artifact_paths: [path] }))['error'].code, path).toBe(
          'INVALID_PAYLOAD',
        );
      expect((await emit(world, run, 'go', 0))['error'].code).toBe('GUARD_FAILED');
    });
  });
});

describe.each([
  ['stdio', 'postgres'],
  ['http', 'sqlite'],
] as const)('files that guards ask for (%s, %s)', (surface, database) => {
  inOneWorld(surface, database, (test) => {
    test(requires('gate.notifications.outside'), async ({ world }) => {
      const waiting = async (id: string) => {
        define(world, id, `${oneStep}guards: { g: { type: artifact_exists, paths: [docs/${id}.md] } }\n`);
        return (await begin(world, id)).value['run_id'] as string;
      };
      const [run, clock] = [await waiting('brief'), await waiting('clock')];
      const client = await world.client();
      const uriOf = (one: string) => `stategate://runs/${one}/summary`;
      const updates: string[] = [];
      let lists = 0;
      client.setNotificationHandler('notifications/resources/list_changed', () => void lists++);
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updates.push(params.uri));
      for (const one of [run, clock]) await client.subscribeResource({ uri: uriOf(one) });
      const told = (one: string) => updates.filter((uri) => uri === uriOf(one)).length;
      let there = false;
      const flip = () => {
        there = !there;
        world.write('docs/clock.md', there ? 'now' : '');
      };
      // The standing stream of an HTTP client opens a moment after initialize: what came before is not told.
      let tries = 0;
      await until('the first word', () => {
        if (tries++ % 20 === 0) flip();
        return told(clock) > 0;
      });
      const changes = async (what: string, change: () => void) => {
        const before = { run: told(run), lists };
        change();
        await until(what, () => told(run) > before.run && lists > before.lists);
        const events = (await world.call('state_gate.list_events', { run_id: run })).value['events'];
        return events[0].transitions[0].guard_status as string;
      };
      expect(await changes('it came', () => world.write('docs/brief.md', 'brief'))).toBe('satisfied');
      expect(await changes('it went', () => rmSync(join(world.project, 'docs/brief.md')))).toBe('unsatisfied');
      expect((await world.call('state_gate.get_state', { run_id: run })).value['revision']).toBe(0);
    });
  });
});
