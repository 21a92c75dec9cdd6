import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { trustFile } from '../setup/trust.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { type World, inTwoWorlds } from './world.ts';

const fixtures = join(import.meta.dirname, '../fixtures/processes');
let keys = 0;

function install(world: World, name: string, as = name): void {
  copyFileSync(join(fixtures, `${name}.yaml`), join(world.project, '.sekisho/processes', `${as}.yaml`));
}

async function begin(world: World): Promise<string> {
  return (await world.call('state_gate.create_run', { process_id: 'guards' })).value['run_id'] as string;
}

function emit(
  world: World,
  run: string,
  event: string,
  revision: number,
  more: object = {},
  client?: Parameters<World['call']>[2],
) {
  const input = {
    run_id: run,
    event_name: event,
    expected_revision: revision,
    idempotency_key: `guard-${++keys}`,
    ...more,
  };
  return world.call('state_gate.emit_event', input, client);
}

/** A process of the states `a` and `b` that this test alone needs. */
async function beginOwn(world: World, id: string, rest: string): Promise<string> {
  world.write(
    `.sekisho/processes/${id}.yaml`,
    `id: ${id}\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\n${rest}`,
  );
  return (await world.call('state_gate.create_run', { process_id: id })).value['run_id'] as string;
}

/** A person has looked at the commands of the process. */
const trust = (world: World, process = 'guards') =>
  trustFile(world.project, world.env, `.sekisho/processes/${process}.yaml`);

const to = (reply: { value: Record<string, any> }) => reply.value['result']?.transition.to_state as string | undefined;
const missing = (reply: { value: Record<string, any> }) =>
  (reply.value['error']?.details.missing_guards ?? []) as string[];

inTwoWorlds('guards', (test) => {
  test.beforeEach(({ world }) => install(world, 'guards'));

  story(test, 'evidence, expressions and combinations', (clause) => {
    clause(requires('gate.guards.context'), async ({ world }) => {
      const run = await begin(world);
      const refused = await emit(world, run, 'by_context', 0, { payload: { level: 'medium' } });
      expect(missing(refused)[0]).toContain('level_is_one_of');
      expect((await emit(world, run, 'by_context', 0, { payload: { level: 'low', extra: 1 } })).isError).toBe(true);
      expect(
        (await emit(world, run, 'by_context', 0, { payload: { level: 'high', extra: 1, nothing: 'x' } })).isError,
      ).toBe(true);
      // Null is a value: the variable is there.
      expect(
        (await emit(world, run, 'by_context', 0, { payload: { level: 'high', extra: 1, nothing: null } })).isError,
      ).toBe(true);
      expect(to(await emit(world, run, 'by_context', 0, { payload: { level: 'high', extra: 1 } }))).toBe('middle');
    });

    clause(requires('gate.guards.artifact-exists'), async ({ world }) => {
      const run = await begin(world);
      expect(missing(await emit(world, run, 'by_exists_on_disk', 0))).toEqual([
        'artifact_exists: file not found, or empty: found/report.json, found/second.md',
      ]);
      world.write('found/report.json', '{"name":"r"}');
      world.write('found/second.md', '2');
      expect(to(await emit(world, run, 'by_exists_on_disk', 0))).toBe('middle');
      const { value } = await world.call(
        'state_gate.get_history',
        { run_id: run },
        await world.client({ role: 'human' }),
      );
      expect(value['events'][0].artifacts.map((one: { path: string }) => one.path)).toEqual([
        'found/report.json',
        'found/second.md',
      ]);
      // Files that the gate finds void the approvals before them, and whoever made it look did not submit them.
      const own = await beginOwn(
        world,
        'finding',
        `events: [{ name: approve }, { name: look }, { name: finish }]
transitions: [{ from: a, event: approve, to: a }, { from: a, event: look, to: a, guard: there }, { from: a, event: finish, to: b, guard: both }]
guards: { there: { type: artifact_exists, paths: [found/own.md] }, both: { type: all, guards: [there, { type: approval }] } }\n`,
      );
      const reviewer = await world.client({ role: 'reviewer' });
      await emit(world, own, 'approve', 0, {}, reviewer);
      world.write('found/own.md', 'one');
      expect(to(await emit(world, own, 'finish', 1))).toBe('a');
      expect(missing(await emit(world, own, 'finish', 2))[0]).toContain('(current: 0, required: 1)');
      await emit(world, own, 'approve', 2, {}, reviewer);
      world.write('found/own.md', 'two');
      expect(to(await emit(world, own, 'finish', 3))).toBe('a');
      world.write('found/own.md', 'three');
      expect(to(await emit(world, own, 'look', 4, {}, reviewer))).toBe('a');
      await emit(world, own, 'approve', 5, {}, reviewer);
      expect(to(await emit(world, own, 'finish', 6))).toBe('b');
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({ ok: true });
    });

    clause(requires('gate.guards.artifact-schema'), async ({ world }) => {
      const run = await begin(world);
      const path = world.write('out/report.json', '{"ok": false, "name": "x"}');
      expect(to(await emit(world, run, 'by_schema', 0, { artifact_paths: [path] }))).toBe('start');
      expect(missing(await emit(world, run, 'by_schema', 1))[0]).toContain('/ok must be equal to constant');
      world.write(path, '{ not json');
      expect(missing(await emit(world, run, 'by_schema', 1))[0]).toContain('differs from the submitted evidence');
      expect(to(await emit(world, run, 'by_schema', 1, { artifact_paths: [path] }))).toBe('start');
      world.write(path, '{"ok": true, "name": "x"}');
      expect(to(await emit(world, run, 'by_schema', 2, { artifact_paths: [path] }))).toBe('middle');
      const own = await begin(world);
      expect(
        to(await emit(world, own, 'by_own_schema', 0, { artifact_paths: [world.write('a/report.json', '{}')] })),
      ).toBe('start');
      expect(
        to(
          await emit(world, own, 'by_own_schema', 1, {
            artifact_paths: [world.write('a/report.json', '{"name":"n"}')],
          }),
        ),
      ).toBe('middle');
    });

    clause(requires('gate.guards.expression'), async ({ world }) => {
      const run = await begin(world);
      const note = world.write(`notes/expr-${run}.md`, run);
      expect(to(await emit(world, run, 'by_expression', 0, { payload: { failed: 3 }, artifact_paths: [note] }))).toBe(
        'start',
      );
      expect(missing(await emit(world, run, 'by_expression', 1, { payload: { failed: 3 } }))[0]).toContain(
        '(current: false, required: true)',
      );
      expect(to(await emit(world, run, 'by_expression', 1, { payload: { failed: 2 } }))).toBe('middle');
      world.write(
        '.sekisho/processes/evil.yaml',
        `id: evil\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: go }]
transitions: [{ from: a, event: go, to: b, guard: g }]\nguards: { g: { type: expression, expression: "context.constructor.constructor('return process')() != 1" } }\n`,
      );
      const evil = await world.call('state_gate.create_run', { process_id: 'evil' });
      if (!evil.isError)
        expect((await emit(world, evil.value['run_id'], 'go', 0)).value['error'].code).toBe('GUARD_FAILED');
      world.write(
        '.sekisho/processes/evil.yaml',
        `id: evil\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: go }]
transitions: [{ from: a, event: go, to: b, guard: g }]\nguards: { g: { type: expression, expression: "context.x.matches('(a+)+$')" } }\n`,
      );
      expect((await world.call('state_gate.create_run', { process_id: 'evil' })).value['error'].code).toBe(
        'PROCESS_INVALID',
      );
      rmSync(join(world.project, '.sekisho/processes/evil.yaml'));
    });

    clause(requires('gate.guards.combined'), async ({ world }) => {
      const note = world.write('notes/combined.md', 'combined');
      const all = await begin(world);
      expect(missing(await emit(world, all, 'by_all', 0, { payload: { level: 'low' } }))[0]).toContain('; ');
      expect(to(await emit(world, all, 'by_all', 0, { payload: { level: 'low' }, artifact_paths: [note] }))).toBe(
        'start',
      );
      expect(to(await emit(world, all, 'by_all', 1, { payload: { level: 'high' } }))).toBe('middle');
      expect((await emit(world, await begin(world), 'by_any', 0, { payload: { level: 'low' } })).isError).toBe(true);
      expect(to(await emit(world, await begin(world), 'by_any', 0, { payload: { level: 'high' } }))).toBe('middle');
      expect(to(await emit(world, await begin(world), 'by_any', 0, { artifact_paths: [note] }))).toBe('middle');
      expect((await emit(world, await begin(world), 'by_not', 0)).isError).toBe(true);
      expect(to(await emit(world, await begin(world), 'by_not', 0, { payload: { level: 'high' } }))).toBe('middle');
      // What could not be found out is no "no" that `not` could turn into a "yes".
      const cases = {
        says_no: '{ type: command, command: [node, -e, "process.exit(1)"] }',
        says_yes: '{ type: command, command: [node, -e, "0"] }',
        too_slow: '{ type: command, command: [node, -e, "setTimeout(() => 0, 9000)"], timeout_ms: 200 }',
        no_program: '{ type: command, command: [no-such-program] }',
        is_false: '{ type: expression, expression: "1 == 2" }',
        throws: '{ type: expression, expression: "context.missing == 1" }',
        no_json: '{ type: artifact_schema, artifact_type: data, schema: { type: object } }',
        any_slow: '{ type: any, guards: [is_false, too_slow] }',
        all_slow: '{ type: all, guards: [is_true, too_slow] }',
        all_false: '{ type: all, guards: [too_slow, is_false] }',
        is_true: '{ type: expression, expression: "1 == 1" }',
      };
      const names = Object.keys(cases);
      const text = `events: [${names.map((name) => `{ name: ${name} }`).join(', ')}, { name: submit }]
transitions:\n${names.map((name) => `  - { from: a, event: ${name}, to: b, guard: { type: not, guard: ${name} } }\n`).join('')}  - { from: a, event: submit, to: a }
guards:\n${Object.entries(cases)
        .map(([name, spec]) => `  ${name}: ${spec}\n`)
        .join('')}artifacts: [{ type: data, path: "data/*.json" }]\n`;
      const untrusted = await beginOwn(world, 'negated', text);
      expect(missing(await emit(world, untrusted, 'says_no', 0))[0]).toContain('sekisho trust');
      await trust(world, 'negated');
      const run = await beginOwn(world, 'negated', text);
      const broken = world.write('data/broken.json', '{ not json');
      await emit(world, run, 'submit', 0, { artifact_paths: [broken] });
      for (const name of ['says_yes', 'too_slow', 'no_program', 'throws', 'no_json', 'any_slow', 'all_slow'])
        expect(missing(await emit(world, run, name, 1)), name).toHaveLength(1);
      for (const name of ['says_no', 'is_false', 'all_false'])
        expect(to(await emit(world, await beginOwn(world, 'negated', text), name, 0)), name).toBe('b');
    });
  });

  test(requires('gate.trust'), async ({ world }) => {
    const run = await begin(world);
    const untrusted = await emit(world, run, 'by_wrong_exit', 0);
    expect(missing(untrusted)[0]).toContain('sekisho trust');
    expect((await world.cli(['trust', '--json'])).json).toMatchObject({ code: 'FORBIDDEN' });
    expect((await world.person(['trust', '--json'], { env: { CLAUDECODE: '1' } })).code).not.toBe(0);
    expect(missing(await emit(world, run, 'by_wrong_exit', 0))[0]).toContain('sekisho trust');
    const trusted = await world.person(['trust', '.sekisho/processes/guards.yaml', '--json']);
    expect(trusted.json['trusted'][0]).toMatchObject({
      process_id: 'guards',
      commands: expect.arrayContaining(['node check.mjs']),
    });
    expect(to(await emit(world, run, 'by_wrong_exit', 0))).toBe('middle');
    // A changed file is another file, and a name that sounds shipped is none.
    world.write(
      '.sekisho/processes/shipped:evil.yaml',
      `id: posing\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: go }]
transitions: [{ from: a, event: go, to: b, guard: { type: command, command: [node, -e, "0"] } }]\n`,
    );
    const posing = (await world.call('state_gate.create_run', { process_id: 'posing' })).value['run_id'] as string;
    expect(missing(await emit(world, posing, 'go', 0))[0]).toContain('sekisho trust');
    rmSync(join(world.project, '.sekisho/processes/shipped:evil.yaml'));
  });

  story(test, 'commands', (clause) => {
    clause(requires('gate.guards.command'), async ({ world }) => {
      await trust(world);
      const run = await begin(world);
      const note = world.write(`notes/${run}.md`, run);
      // The script would tell by a file that it ran.
      world.write(
        'check.mjs',
        "import { writeFileSync } from 'node:fs'; writeFileSync('ran.txt', process.cwd()); console.log('no $HOME'); process.exit(1);",
      );
      const waiting = await emit(world, run, 'by_command', 0);
      expect(missing(waiting)).toEqual([
        expect.stringContaining('script_says_yes: not run yet'),
        expect.stringContaining('has_note'),
      ]);
      const failed = await emit(world, run, 'by_command', 0, { artifact_paths: [note] });
      expect(to(failed)).toBe('start');
      const again = missing(await emit(world, run, 'by_command', 1))[0];
      expect(again).toContain('exit code (current: 1, required: 0)');
      expect(again).toContain('no $HOME');
      world.write('check.mjs', 'process.exit(0)');
      expect(to(await emit(world, run, 'by_command', 1))).toBe('middle');

      const slow = missing(await emit(world, await begin(world), 'by_slow_command', 0))[0];
      expect(slow).toContain('no answer within 300 ms');
      expect(missing(await emit(world, await begin(world), 'by_missing_program', 0))[0]).toContain('ENOENT');
      // Looking runs nothing.
      rmSync(join(world.project, 'ran.txt'), { force: true });
      world.write('check.mjs', "import { writeFileSync } from 'node:fs'; writeFileSync('ran.txt', '');");
      const looked = await world.call('state_gate.list_events', { run_id: await begin(world) });
      expect(JSON.stringify(looked.value)).toContain('runs when the event is emitted');
      expect(() => rmSync(join(world.project, 'ran.txt'))).toThrow();
    });

    clause('a program of a later transition does not run once an earlier one has won', async ({ world }) => {
      const text = `events: [{ name: go }]
transitions:
  - { from: a, event: go, to: b, guard: { type: expression, expression: "1 == 1" } }
  - { from: a, event: go, to: a, guard: { type: command, command: [touch, later.txt] } }\n`;
      await beginOwn(world, 'two', text);
      await trust(world, 'two');
      expect(to(await emit(world, await beginOwn(world, 'two', text), 'go', 0))).toBe('b');
      expect(existsSync(join(world.project, 'later.txt'))).toBe(false);
    });

    clause(requires('gate.guards.command-bound'), async ({ world }) => {
      await trust(world);
      const run = await begin(world);
      const note = world.write(`notes/bound-${run}.md`, 'before');
      world.write(
        'check.mjs',
        `import { writeFileSync } from 'node:fs'; writeFileSync('${note}', 'changed while the tests ran');`,
      );
      expect(to(await emit(world, run, 'by_command', 0, { artifact_paths: [note] }))).toBe('start');
      expect(missing(await emit(world, run, 'by_command', 1))[0]).toContain('differs from the submitted evidence');
    });
  });

  story(test, 'approvals and roles', (clause) => {
    clause(requires('gate.guards.approval'), async ({ world }) => {
      const run = await begin(world);
      const reviewer = await world.client({ role: 'reviewer' });
      const note = world.write(`notes/approval-${run}.md`, 'evidence');
      await emit(world, run, 'submit', 0, { artifact_paths: [note] });
      // One person can say yes once: the first is kept, the second adds nothing.
      expect(to(await emit(world, run, 'approve', 1, {}, reviewer))).toBe('start');
      const again = await emit(world, run, 'approve', 2, {}, reviewer);
      expect(missing(again)).toEqual([expect.stringMatching(/^approved_twice: .*\(current: 1, required: 2\)$/)]);
      // A reviewer who hands in evidence cannot approve it, and new evidence makes the approvals before it worthless.
      await emit(world, run, 'submit', 2, { artifact_paths: [world.write(note, 'better evidence')] }, reviewer);
      const own = await emit(world, run, 'approve', 3, {}, reviewer);
      expect(missing(own)[0]).toContain('(current: 0, required: 2)');

      // An agent in another role is the same agent, and an approval that no guard counts is not kept.
      const led = `events: [{ name: approve }, { name: confirm }, { name: submit }]
transitions: [{ from: a, event: approve, to: b, guard: anybody }, { from: a, event: confirm, to: b, guard: by_reviewers }, { from: a, event: submit, to: a }]
guards: { anybody: { type: approval }, by_reviewers: { type: approval, role: reviewer, event: confirm, min_count: 2 } }\n`;
      const shared = await beginOwn(world, 'led', led);
      const human = await world.client({ role: 'human' });
      expect(to(await emit(world, shared, 'submit', 0, { artifact_paths: [note] }))).toBe('a');
      expect((await emit(world, shared, 'approve', 1)).value['error'].code).toBe('GUARD_FAILED');
      expect((await emit(world, shared, 'confirm', 1, {}, human)).value['error'].code).toBe('GUARD_FAILED');
      expect(to(await emit(world, shared, 'approve', 1, {}, human))).toBe('b');
    });

    clause(
      'an approval is not for files that come after it, not even with the event that needs it',
      async ({ world }) => {
        const run = await beginOwn(
          world,
          'fresh',
          `events: [{ name: approve }, { name: finish }]
transitions: [{ from: a, event: approve, to: a }, { from: a, event: finish, to: b, guard: { type: approval } }]\n`,
        );
        const reviewer = await world.client({ role: 'reviewer' });
        await emit(world, run, 'approve', 0, {}, reviewer);
        const late = { artifact_paths: [world.write('fresh.md', 'after the approval')] };
        expect(to(await emit(world, run, 'finish', 1, late))).toBe('a');
        await emit(world, run, 'approve', 2, {}, reviewer);
        expect(to(await emit(world, run, 'finish', 3))).toBe('b');
      },
    );

    clause(requires('gate.roles'), async ({ world }) => {
      const run = await begin(world);
      const human = await world.client({ role: 'human' });
      const reviewer = await world.client({ role: 'reviewer' });
      expect((await emit(world, run, 'human_only', 0)).value['error'].code).toBe('FORBIDDEN');
      expect((await emit(world, run, 'human_only', 0, {}, reviewer)).value['error'].code).toBe('FORBIDDEN');
      expect((await emit(world, run, 'only_reviewers_go', 0, {}, human)).value['error'].code).toBe('FORBIDDEN');
      expect(to(await emit(world, run, 'only_reviewers_go', 0, {}, reviewer))).toBe('middle');
      expect(to(await emit(world, await begin(world), 'human_only', 0, {}, human))).toBe('middle');
      expect(to(await emit(world, await begin(world), 'anyone', 0))).toBe('middle');
    });

    clause(requires('gate.roles.approve'), async ({ world }) => {
      install(world, 'hotfix');
      const run = (await world.call('state_gate.create_run', { process_id: 'hotfix' })).value['run_id'] as string;
      const refused = await emit(world, run, 'approve', 0);
      expect(refused.value['error'].code).toBe('FORBIDDEN');
      world.write(
        '.sekisho/processes/defined.yaml',
        `id: defined\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]
events: [{ name: approve }, { name: reject }]\ntransitions: [{ from: a, event: approve, to: b }, { from: a, event: reject, to: a }]
roles: [{ name: agent }, { name: human, can_reject: true }, { name: tester, kind: agent }]\n`,
      );
      const defined = (await world.call('state_gate.create_run', { process_id: 'defined' })).value['run_id'] as string;
      await world.person(['trust', '.sekisho/processes/defined.yaml', '--json']);
      const human = await world.client({ role: 'human' });
      const tester = await world.client({ role: 'tester' });
      expect((await emit(world, defined, 'approve', 0)).value['error'].code).toBe('FORBIDDEN');
      expect((await emit(world, defined, 'reject', 0)).value['error'].code).toBe('FORBIDDEN');
      expect((await emit(world, defined, 'approve', 0, {}, human)).value['error'].code).toBe('FORBIDDEN');
      expect((await emit(world, defined, 'reject', 0, {}, human)).isError).toBe(false);
      expect((await emit(world, defined, 'approve', 1, {}, tester)).value['error'].code).toBe('FORBIDDEN');
      // Where the role is not defined, nothing speaks against it.
      const lead = await world.client({ role: 'lead' });
      expect((await emit(world, defined, 'approve', 1, {}, lead)).isError).toBe(false);
    });

    clause(requires('gate.admin.approve'), async ({ world }) => {
      world.write(
        '.sekisho/processes/gated.yaml',
        `id: gated\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]
events: [{ name: approve, allowed_roles: [reviewer] }, { name: reject, allowed_roles: [reviewer] }, { name: submit }]
transitions: [{ from: a, event: approve, to: b, guard: yes }, { from: a, event: reject, to: a }, { from: a, event: submit, to: a }]
guards: { yes: { type: approval, role: reviewer } }\nroles: [{ name: reviewer, can_approve: true, can_reject: true }]\n`,
      );
      const run = (await world.call('state_gate.create_run', { process_id: 'gated' })).value['run_id'] as string;
      await emit(world, run, 'submit', 0, { artifact_paths: [world.write('gated.md', 'work of the agent')] });
      const agent = await world.cli(['admin', 'approve', '--run-id', run, '--json']);
      expect(agent).toMatchObject({ code: 1, json: { code: 'FORBIDDEN' } });
      const posing = await world.person(['admin', 'approve', '--run-id', run, '--json'], { env: { CLAUDECODE: '1' } });
      expect(posing.code).toBe(1);
      expect((await (await world.client()).listTools()).tools.map((one) => one.name)).not.toContain('approve');
      const rejected = await world.person(['admin', 'reject', '--run-id', run, '--json', '--comment', 'not yet']);
      expect(rejected.json).toMatchObject({ transition: { from_state: 'a', to_state: 'a' }, new_revision: 2 });
      const approved = await world.person(['admin', 'approve', '--run-id', run, '--json']);
      expect(approved.json).toMatchObject({ transition: { from_state: 'a', to_state: 'b' }, is_final: true });
    });
  });

  story(test, 'what is open, definitions and history', (clause) => {
    clause(requires('gate.list_events'), async ({ world }) => {
      const run = await begin(world);
      const { value } = await world.call('state_gate.list_events', { run_id: run });
      expect(value).toMatchObject({ run_id: run, current_state: 'start' });
      const byName = Object.fromEntries(
        value['events'].map((one: { event_name: string }) => [one.event_name, one]),
      ) as Record<string, any>;
      expect(Object.keys(byName)).not.toContain('approve');
      expect(byName['by_exists_on_disk']).toMatchObject({
        description: 'A file that is there',
        is_allowed: true,
        blocked_reason: null,
      });
      expect(byName['by_all'].transitions).toEqual([
        { to_state: 'middle', guard: 'both', guard_status: 'unsatisfied', missing_requirements: [expect.any(String)] },
      ]);
      expect(byName['anyone'].transitions).toEqual([{ to_state: 'middle', guard_status: 'no_guard' }]);
      expect(byName['by_command'].transitions[0].guard).toBe('script_says_yes, has_note');
    });

    clause(requires('gate.list_events.blocked'), async ({ world }) => {
      const run = await begin(world);
      await emit(world, run, 'anyone', 0);
      const { value } = await world.call('state_gate.list_events', { run_id: run, include_blocked: true });
      const byName = Object.fromEntries(
        value['events'].map((one: { event_name: string }) => [one.event_name, one]),
      ) as Record<string, any>;
      expect(byName['by_all']).toMatchObject({
        is_allowed: false,
        blocked_reason: expect.stringContaining('only in start'),
      });
      expect(byName['submit']).toMatchObject({ is_allowed: true, blocked_reason: null });
      const atStart = await world.call('state_gate.list_events', { run_id: await begin(world), include_blocked: true });
      const approve = atStart.value['events'].find((one: { event_name: string }) => one.event_name === 'approve');
      expect(approve).toMatchObject({ is_allowed: false, blocked_reason: expect.stringContaining('"agent"') });
    });

    clause(requires('gate.policy'), async ({ world }) => {
      const run = await begin(world);
      const human = await world.client({ role: 'human' });
      await world.call('use_run', { run_id: run }, human);
      const asked = await world.call('list_roles');
      expect(asked.value).toMatchObject({ code: 'FORBIDDEN', details: { current_state: 'start', run_id: run } });
      expect(asked.value['message']).toContain('A person has to be asked');
      const denied = await world.call('state_gate.get_history', { run_id: run });
      expect(denied.value['error'].message).toMatch(
        /does not permit state_gate\.get_history in the state "start".*To move on, emit/,
      );
      expect((await world.call('state_gate.get_history', { run_id: run }, human)).isError).toBe(false);
      await emit(world, run, 'anyone', 0);
      expect((await world.call('state_gate.get_history', { run_id: run })).isError).toBe(false);
      expect((await world.call('list_roles')).isError).toBe(false);
    });

    clause(requires('gate.policy.open'), async ({ world }) => {
      const run = await begin(world);
      const human = await world.client({ role: 'human' });
      await world.call('use_run', { run_id: run }, human);
      // `allowed` names neither, `ask` names the last, and still they work.
      expect((await world.call('state_gate.list_processes')).isError).toBe(false);
      expect((await world.call('state_gate.get_state')).value['run_id']).toBe(run);
      expect((await emit(world, run, 'anyone', 0)).isError).toBe(false);
    });

    clause(requires('gate.list_processes'), async ({ world }) => {
      install(world, 'broken');
      world.write(
        '.sekisho/processes/release.yaml',
        `id: release\nversion: "9"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: go }]\ntransitions: [{ from: a, event: go, to: b }]\n`,
      );
      await trust(world, 'release');
      const human = await world.client({ role: 'human' });
      const { value } = await world.call('state_gate.list_processes', {}, human);
      const byId = Object.fromEntries(
        value['processes'].map((one: { process_id: string }) => [one.process_id, one]),
      ) as Record<string, any>;
      expect(Object.keys(byId)).toEqual(
        expect.arrayContaining(['exploration', 'explore-plan-implement-verify', 'guards', 'release']),
      );
      expect(byId['release']).toMatchObject({ version: '9', source: '.sekisho/processes/release.yaml' });
      expect(value['broken']).toMatchObject([
        {
          file: '.sekisho/processes/broken.yaml',
          process_id: 'broken',
          problems: expect.arrayContaining([expect.stringContaining('UNKNOWN_GUARD')]),
        },
      ]);
      rmSync(join(world.project, '.sekisho/processes/broken.yaml'));
    });

    clause(requires('gate.get_history'), async ({ world }) => {
      const human = await world.client({ role: 'human' });
      const run = await begin(world);
      await emit(world, run, 'submit', 0, { payload: { why: 'x' }, artifact_paths: [world.write('notes/h.md', 'h')] });
      await emit(world, run, 'anyone', 1, {}, human);
      const { value } = await world.call('state_gate.get_history', { run_id: run, limit: 1 }, human);
      expect(value['events']).toMatchObject([
        {
          event_name: 'submit',
          revision: 1,
          from_state: 'start',
          to_state: 'start',
          role: 'agent',
          payload: { why: 'x' },
          artifacts: [{ path: 'notes/h.md', type: 'note', version: 1 }],
        },
      ]);
      const next = await world.call(
        'state_gate.get_history',
        { run_id: run, limit: 1, cursor: value['next_cursor'] },
        human,
      );
      expect(next.value['events']).toMatchObject([{ event_name: 'anyone', revision: 2, role: 'human' }]);
      expect(next.value['next_cursor']).toBeUndefined();
      expect(value['head']).toMatch(/^[0-9a-f]{64}$/);
    });

    clause(requires('gate.definitions.live'), async ({ world }) => {
      const text = (
        version: string,
        to: string,
      ) => `id: live\nversion: "${version}"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }, { name: c, is_final: true }]
events: [{ name: go }]\ntransitions: [{ from: a, event: go, to: ${to} }]\n`;
      world.write('.sekisho/processes/live.yaml', text('1', 'b'));
      const old = (await world.call('state_gate.create_run', { process_id: 'live' })).value;
      world.write('.sekisho/processes/live.yaml', text('2', 'c'));
      const young = (await world.call('state_gate.create_run', { process_id: 'live' })).value;
      expect([old['process_version'], young['process_version']]).toEqual(['1', '2']);
      expect(to(await emit(world, old['run_id'], 'go', 0))).toBe('b');
      expect(to(await emit(world, young['run_id'], 'go', 0))).toBe('c');
    });

    clause(requires('gate.definitions.spellings'), async ({ world }) => {
      install(world, 'hotfix');
      const nested = await world.call('state_gate.create_run', { process_id: 'hotfix' });
      expect(nested.value).toMatchObject({
        process_version: '1.2.0',
        current_state: 'reproduce',
        current_state_prompt: 'Reproduce the low fault and write it down.\n',
      });
      const human = await world.client({ role: 'human' });
      const path = world.write('reproduction.md', 'steps');
      await world.call('use_run', { run_id: nested.value['run_id'] }, human);
      expect(
        to(
          await emit(world, nested.value['run_id'], 'submit_reproduction', 0, {
            payload: { summary: 's', extra: 1 },
            artifact_paths: [path],
          }),
        ),
      ).toBe('fix');
      expect((await world.call('state_gate.get_state', { run_id: nested.value['run_id'] })).value['context']).toEqual({
        severity: 'low',
        attempts: 0,
        summary: 's',
      });
    });

    clause(requires('gate.use'), async ({ world }) => {
      const human = await world.client({ role: 'human' });
      const first = await begin(world);
      const second = await begin(world);
      await world.call('use_run', { run_id: first }, human);
      const agent = await world.cli(['gate', 'use', second, '--json']);
      expect(agent).toMatchObject({ code: 1, json: { code: 'FORBIDDEN' } });
      const person = await world.person(['gate', 'use', second, '--json']);
      expect(person.json).toMatchObject({ run_id: second, previous_run_id: first });
      await emit(world, second, 'anyone', 0);
      await emit(world, second, 'submit', 1);
      // A daemon registers its folder: there the other open runs, which nobody trusted, bind too.
      if (world.surface === 'stdio') expect((await world.cli(['gate', 'use', first, '--json'])).code).toBe(0);
    });
  });
});
