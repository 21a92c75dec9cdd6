import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { byHand } from '../setup/by-hand.ts';
import { atTerminal } from '../e2e/terminal.ts';
import { type World, inOneWorld, node } from '../e2e/world.ts';
import { row } from '../setup/security.ts';

/** What an agent does to the files: no person has looked. */
function slip(world: World, path: string, text: string): void {
  const whole = join(world.project, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

const config = '.sekisho/config.yaml';

/** Something in the place of a file that cannot be read as one: a pipe to which nobody writes, a folder, a link to nothing. */
function replace(world: World, path: string, kind: 'pipe' | 'folder' | 'link'): void {
  const whole = join(world.project, path);
  mkdirSync(dirname(whole), { recursive: true });
  rmSync(whole, { recursive: true, force: true });
  if (kind === 'pipe') execFileSync('mkfifo', [whole]);
  else if (kind === 'folder') mkdirSync(whole);
  else symlinkSync('nowhere', whole);
}
const checked = (command: string, id = 'checked') => `id: ${id}
version: "1"
initial_state: a
states: [{ name: a }, { name: b, is_final: true }]
events: [{ name: go }]
transitions: [{ from: a, event: go, to: b, guard: ran }]
guards: { ran: { type: command, command: ${JSON.stringify(['sh', '-c', command])} } }
`;
const file = '.sekisho/processes/checked.yaml';
const closed =
  'id: closed\nversion: "1"\ninitial_state: a\nstates: [{ name: a, tool_permissions: { denied: [Edit] } }, { name: b, is_final: true }]\nevents: [{ name: go }]\ntransitions: [{ from: a, event: go, to: b }]\n';

const start = async (world: World, process_id = 'checked') =>
  (await world.cli(['gate', 'create-run', '--process-id', process_id, '--json'])).json;

const go = async (world: World, run: string) =>
  (
    await world.cli(
      `gate emit-event --run-id ${run} --event-name go --expected-revision 0 --idempotency-key k --json`.split(' '),
    )
  ).json;

/** Settings of a file that nobody has seen, each with how it would show that it counts. */
const settings: readonly {
  readonly title: string;
  readonly text: (proof: string) => string;
  readonly line: readonly string[];
}[] = [
  {
    title: 'an upstream that is a program',
    text: (proof) => `upstreams: { evil: { command: [touch, ${proof}] } }\n`,
    line: ['upstream', 'status', '--check'],
  },
  { title: 'another database', text: (proof) => `db: ${proof}\n`, line: ['gate', 'list-runs'] },
  {
    title: 'a role that is a program',
    text: (proof) => `roles: [{ id: evil, cli: command, command: [touch, ${proof}] }]\n`,
    line: ['fleet', 'list-roles'],
  },
  {
    title: 'phases that run a program',
    text: (proof) =>
      `phases: { list: [{ id: one, prompt: x, guards: [{ type: command, command: [touch, ${proof}] }] }] }\n`,
    line: ['phase', 'transition-to-next-phase', '--phase', 'one', '--status', 'completed'],
  },
];

describe('a configuration', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test.for(settings)(
      `${row('trust.configuration')} that nobody has seen has no $title`,
      async ({ text, line }, { world }) => {
        const proof = join(world.project, 'proof');
        slip(world, config, text(proof));
        // No database in the environment, which needs no trust.
        const { stdout } = await world.cli([...line, '--json'], { env: { SEKISHO_DB: '' } });
        expect(existsSync(proof)).toBe(false);
        expect(stdout).not.toContain('evil');
      },
    );

    test(`${row('trust.configuration')} that nobody has seen says its language, and no key under which the rows are`, async ({
      world,
    }) => {
      const { run_id } = await start(world, 'explore-plan-implement-verify');
      slip(world, config, 'lang: ja\nprojectKey: elsewhere\nhook: { fail: open }\nidentity: required\n');
      const shown = await world.cli(['gate', 'get-state', '--run-id', 'run-x', '--json']);
      expect(shown.stdout).toContain('存在しません');
      const { json } = await world.cli(['gate', 'list-runs', '--json']);
      expect(json['runs'].map((one: { run_id: string }) => one.run_id)).toEqual([run_id]);
      const doctor = await world.cli(['doctor', '--json']);
      expect(JSON.stringify(doctor.json['checks'])).toContain('sekisho trust');
    });

    test(`${row('trust.configuration')} that was changed, broken or removed counts as a person saw it`, async ({
      world,
    }) => {
      world.write(config, 'roles: [{ id: mine, cli: command, command: [mine] }]\n');
      const roles = async () => (await world.cli(['fleet', 'list-roles', '--json'])).stdout;
      expect(await roles()).toContain('"mine"');
      const changes = [
        () => slip(world, config, 'roles: [{ id: theirs, cli: command, command: [theirs] }]\n'),
        () => slip(world, config, 'roles: ['),
        () => rmSync(join(world.project, config)),
        () => replace(world, config, 'pipe'),
        () => replace(world, config, 'folder'),
        () => replace(world, config, 'link'),
        () => rmSync(join(world.project, '.sekisho/processes'), { recursive: true, force: true }),
      ];
      for (const change of changes) {
        change();
        expect(await roles()).toContain('"mine"');
        expect(await roles()).not.toContain('theirs');
      }
    });

    test(`${row('trust.configuration')} with a pipe or a folder in its place stops neither hooks nor a server`, async ({
      world,
    }) => {
      slip(world, '.sekisho/processes/closed.yaml', closed);
      await start(world, 'closed');
      const input = JSON.stringify({ cwd: world.project, tool_name: 'Edit', tool_input: { file_path: 'a.ts' } });
      for (const [seen, kinds] of [
        [false, ['pipe', 'folder', 'link']],
        [true, ['pipe', 'folder', 'link']],
      ] as const) {
        rmSync(join(world.project, config), { recursive: true, force: true });
        if (seen) world.write(config, 'hook: { fail: open }\n');
        for (const kind of kinds) {
          await world.trusted();
          replace(world, config, kind);
          const hook = await world.cli(['hook', 'pre-tool-use'], { input });
          expect([seen, kind, hook.stdout.includes('deny')]).toEqual([seen, kind, true]);
          expect((await world.call('state_gate.list_processes')).isError).toBe(false);
        }
      }
      expect((await world.person(['trust', config, '--json'])).json).toMatchObject({
        trusted: [{ file: config, state: 'removed' }],
      });
    });

    test('that nobody has seen is named where something of it is missed, with the command that lets it hold', async ({
      world,
    }) => {
      slip(
        world,
        config,
        'upstreams: { drawing: { command: [cat] } }\nroles: [{ id: painter, cli: command, command: [cat] }]\n',
      );
      const { value: group } = await world.call('create_group', { description: 'g' });
      const wish = { groupId: group['groupId'], agents: [{ role: 'painter', prompt: 'Paint.' }] };
      const missed = async () => [(await world.call('activate')).text, (await world.call('run_agents', wish)).text];
      for (const text of await missed()) {
        expect(text).toContain('.sekisho/config.yaml is not trusted');
        expect(text).toContain('sekisho trust');
      }
      const japanese = await world.cli(['upstream', 'activate', '--lang', 'ja', '--json']);
      expect(japanese.stdout + japanese.stderr).toContain(
        '有効な上流サーバーがありません。.sekisho/config.yaml は信頼されていません',
      );
      await world.person(['trust', '--json']);
      const unknown = await world.cli(['upstream', 'activate', '--upstream', 'painting', '--json']);
      expect(unknown.stdout + unknown.stderr).toContain('Configured: drawing.');
      // Something else, since then.
      slip(world, config, 'upstreams: { painting: { command: [cat] } }\n');
      const changed = await world.cli(['upstream', 'activate', '--upstream', 'painting', '--json']);
      expect(changed.stdout + changed.stderr).toContain('has changed since a person trusted it');
    });

    test(`${row('trust.configuration')} that could not be used is not trusted`, async ({ world }) => {
      for (const text of ['roles: [', 'nonsense: 1\n', 'hook: { fail: sometimes }\n']) {
        slip(world, config, text);
        expect([text, (await world.person(['trust', '--json'])).code]).not.toEqual([text, 0]);
      }
      // It counts for nothing, so it locks nobody out.
      expect((await world.cli(['gate', 'list-runs', '--json'])).code).toBe(0);
    });

    test(`${row('trust.database')} leads no hook to another database`, async ({ world }) => {
      world.write('.sekisho/processes/closed.yaml', closed);
      const env = { SEKISHO_DB: '' };
      await world.cli(['gate', 'create-run', '--process-id', 'closed', '--json'], { env });
      const ask = async () =>
        (
          await world.cli(['hook', 'pre-tool-use'], {
            env,
            input: JSON.stringify({ cwd: world.project, tool_name: 'Edit', tool_input: { file_path: 'a.ts' } }),
          })
        ).stdout;
      expect(await ask()).toContain('deny');
      for (const text of ['db: own.db\n', 'projectKey: other\n', 'hook: { fail: open }\ndb: /nowhere/x.db\n']) {
        slip(world, config, text);
        expect([text, (await ask()).includes('deny')]).toEqual([text, true]);
      }
    });
  });
});

describe('a definition', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test(`${row('trust.definition')} that nobody has seen runs, says so, and starts no program`, async ({ world }) => {
      slip(world, file, checked('touch proof'));
      const run = await start(world);
      expect(run).toMatchObject({ untrusted: true, trust_note: expect.stringContaining('sekisho trust') });
      expect(await go(world, String(run['run_id']))).toMatchObject({ code: 'GUARD_FAILED' });
      expect(existsSync(join(world.project, 'proof'))).toBe(false);
      const listed = (await world.cli(['gate', 'list-processes', '--json'])).json['processes'] as {
        process_id: string;
      }[];
      expect(listed.find((one) => one.process_id === 'checked')).toMatchObject({ untrusted: true, trust: 'never' });
      const state = await world.call('state_gate.get_state', { run_id: run['run_id'] });
      expect(state.value).toMatchObject({ untrusted: true });
      await world.person(['trust', file, '--json']);
      expect(await go(world, String(run['run_id']))).toMatchObject({ success: true });
      expect((await world.call('state_gate.get_state', { run_id: run['run_id'] })).value['untrusted']).toBeUndefined();
    });

    test(`${row('trust.definition', 'trust.unread')} that nobody has seen takes no place of a known one`, async ({
      world,
    }) => {
      const easy =
        'id: explore-plan-implement-verify\nversion: "9"\ninitial_state: done\nstates: [{ name: done, is_final: true }]\nevents: []\ntransitions: []\n';
      slip(world, '.sekisho/processes/a-first.yaml', easy);
      expect((await start(world, 'explore-plan-implement-verify'))['is_final']).toBe(false);
      slip(world, '.sekisho/processes/broken.yaml', 'id: explore-plan-implement-verify\nversion: [\n');
      expect((await start(world, 'explore-plan-implement-verify'))['is_final']).toBe(false);
      slip(world, file, checked('true'));
      await world.person(['trust', file, '--json']);
      slip(world, '.sekisho/processes/a-second.yaml', easy.replace('explore-plan-implement-verify', 'checked'));
      expect((await start(world))['current_state']).toBe('a');
      // A person may put their own in the place of a shipped one.
      await world.person(['trust', '.sekisho/processes/a-first.yaml', '--json']);
      expect((await start(world, 'explore-plan-implement-verify'))['is_final']).toBe(true);
    });

    test(`${row('trust.definition')} that was changed or removed goes on as a person saw it, and every answer says so`, async ({
      world,
    }) => {
      slip(world, file, checked('touch seen'));
      await world.person(['trust', file, '--json']);
      for (const change of [
        () => slip(world, file, checked('touch unseen')),
        () => slip(world, file, 'id: checked\nversion: ['),
        () => rmSync(join(world.project, '.sekisho/processes'), { recursive: true }),
      ]) {
        change();
        rmSync(join(world.project, 'seen'), { force: true });
        const run = await start(world);
        expect(run).toMatchObject({ trust_note: expect.stringContaining('has changed') });
        expect(await go(world, String(run['run_id']))).toMatchObject({ success: true });
        expect(existsSync(join(world.project, 'seen'))).toBe(true);
      }
      expect(existsSync(join(world.project, 'unseen'))).toBe(false);
    });

    test(`${row('trust.rollback')} of which a later version was trusted does not come back`, async ({ world }) => {
      slip(world, file, checked('touch first'));
      await world.person(['trust', file, '--json']);
      slip(world, file, checked('touch second'));
      await world.person(['trust', file, '--json']);
      slip(world, file, checked('touch first'));
      const run = await start(world);
      await go(world, String(run['run_id']));
      expect([existsSync(join(world.project, 'first')), existsSync(join(world.project, 'second'))]).toEqual([
        false,
        true,
      ]);
    });

    test(`${row('trust.definition')} that is broken is not trusted`, async ({ world }) => {
      slip(world, file, 'id: checked\nversion: [\n');
      expect((await world.person(['trust', file, '--json'])).json).toMatchObject({ code: 'PROCESS_INVALID' });
      const all = await world.person(['trust', '--json']);
      expect(all.json).toMatchObject({ trusted: [], broken: [{ file }] });
    });

    test.for(['pipe', 'folder', 'link', 'large'] as const)(
      `${row('trust.definition')} that is no file, or far too large (%s), is broken, and nothing waits for it`,
      async (kind, { world }) => {
        const odd = '.sekisho/processes/odd.yaml';
        slip(world, file, checked('true'));
        await world.person(['trust', file, '--json']);
        for (const path of [odd, file])
          if (kind === 'large') slip(world, path, `${checked('touch evil')}#${' '.repeat(2 ** 20)}`);
          else replace(world, path, kind);
        const { json } = await world.cli(['gate', 'list-processes', '--json']);
        expect(json['broken']).toMatchObject([{ file: odd, process_id: null }]);
        const run = await start(world);
        expect(run).toMatchObject({ trust_note: expect.stringContaining('has changed') });
        expect(await go(world, String(run['run_id']))).toMatchObject({ success: true });
        const asked = await world.person(['trust', '--json']);
        expect(asked.json).toMatchObject({ trusted: [], broken: [{ file }, { file: odd }] });
        expect(existsSync(join(world.project, 'evil'))).toBe(false);
      },
    );

    test(`${row('trust.unread')} is shown with what changed and what it would start, at the terminal`, async ({
      world,
    }) => {
      slip(world, file, checked('touch one'));
      await world.person(['trust', file, '--json']);
      slip(world, file, checked('touch two'));
      slip(world, config, `upstreams: { up: { command: [${node}, server.mjs] } }\n`);
      const { text } = await atTerminal(world, ['trust'], { answers: { '[y/N]': 'n' } });
      expect(text).toContain(`${file} (changed)`);
      expect(text).toContain('runs: sh -c touch two');
      expect(text).toMatch(/^-.*touch one/m);
      expect(text).toMatch(/^\+.*touch two/m);
      expect(text).toContain(`${config} (new)`);
      expect(text).toContain(`runs: ${node} server.mjs`);
      expect((await start(world))['trust_note']).toContain('has changed');
    });
  });
});

describe('a yes to what was shown', () => {
  const shown = '.sekisho/processes/shown.yaml';
  const leaving = '.sekisho/processes/leaving.yaml';
  const other = '.sekisho/processes/other.yaml';

  inOneWorld('stdio', 'sqlite', (test) => {
    test(`${row('trust.unread')} is for those files alone: none that becomes the same, or goes, while the question stands`, async ({
      world,
    }) => {
      slip(world, file, checked('true'));
      slip(world, leaving, checked('true', 'leaving'));
      slip(world, other, checked('true', 'other'));
      await world.person(['trust', '--json']);
      slip(world, shown, checked('touch proof', 'shown'));
      rmSync(join(world.project, leaving));
      const { text } = await atTerminal(world, ['trust'], {
        answers: { '[y/N]': 'y' },
        before: async () => {
          slip(world, file, checked('touch proof', 'shown'));
          rmSync(join(world.project, other));
        },
      });
      expect(text).toContain(`${shown} (new)`);
      expect(text).toContain(`${leaving} (removed)`);
      const rest = (await world.person(['trust', '--json'])).json['trusted'] as { file: string; state: string }[];
      expect(rest.map((one) => `${one.file} ${one.state}`).toSorted()).toEqual([`${file} changed`, `${other} removed`]);
    });
  });
});

describe('what is trusted', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test(`${row('trust.copy')} cannot be changed by hand without verify naming it`, async ({ world }) => {
      slip(world, file, checked('true'));
      await world.person(['trust', file, '--json']);
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({ ok: true });
      const named = async () =>
        ((await world.cli(['journal', 'verify', '--json'])).json['faults'] as { table: string; damage: string }[]).map(
          (one) => `${one.table} ${one.damage}`,
        );
      const copy = join(world.place.data.state, 'trust', `${world.project.slice(1).replaceAll('/', '+')}.json`);
      expect(existsSync(copy)).toBe(true);
      writeFileSync(copy, JSON.stringify({ [file]: { digest: 'x', text: checked('touch evil') } }));
      expect(await named()).toContain('trust changed');
      await byHand(world.place.data.userDatabase, `update trust set text = 'evil'`);
      expect(await named()).toContain('trust changed');
      await byHand(world.place.data.userDatabase, 'delete from trust');
      expect(await named()).toContain('trust removed');
    });

    test(`${row('trust.copy')} with the digest of something else beside what was seen trusts nothing else, and verify names it`, async ({
      world,
    }) => {
      slip(world, file, checked('true'));
      await world.person(['trust', file, '--json']);
      const foreign = checked('touch evil', 'foreign');
      slip(world, '.sekisho/processes/foreign.yaml', foreign);
      const copy = join(world.place.data.state, 'trust', `${world.project.slice(1).replaceAll('/', '+')}.json`);
      const digest = createHash('sha256').update(foreign).digest('hex');
      writeFileSync(copy, JSON.stringify({ [file]: { digest, text: checked('true') } }));
      const run = await start(world, 'foreign');
      expect(run).toMatchObject({ untrusted: true });
      expect(await go(world, String(run['run_id']))).toMatchObject({ code: 'GUARD_FAILED' });
      expect(existsSync(join(world.project, 'evil'))).toBe(false);
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({
        ok: false,
        faults: [{ table: 'trust', key: [world.project, file], damage: 'changed' }],
      });
    });

    test(`${row('trust.copy')} reaches hooks as keys: verify names other ones, and a person's trust writes them again`, async ({
      world,
    }) => {
      world.write(config, 'lang: en\n');
      world.write('.sekisho/processes/closed.yaml', closed);
      const env = { SEKISHO_DB: '' };
      await world.cli(['gate', 'create-run', '--process-id', 'closed', '--json'], { env });
      const input = JSON.stringify({ cwd: world.project, tool_name: 'Edit', tool_input: { file_path: 'a.ts' } });
      const denies = async () => (await world.cli(['hook', 'pre-tool-use'], { env, input })).stdout.includes('deny');
      const faults = async () => (await world.cli(['journal', 'verify', '--json'], { env })).json['faults'] as unknown;
      expect([await denies(), await faults()]).toEqual([true, []]);
      const keys = join(world.place.data.state, 'trust', `${world.project.slice(1).replaceAll('/', '+')}.keys`);
      const whole = readFileSync(keys, 'utf8');
      writeFileSync(keys, whole.replace('"projectKey":null', '"projectKey":"other"'));
      // A process of the same user can do this; it is no way for it to go unnoticed.
      expect(await faults()).toMatchObject([{ table: 'trust', key: [world.project, config], damage: 'changed' }]);
      await world.person(['trust', '--json'], { env });
      expect([readFileSync(keys, 'utf8'), await denies(), await faults()]).toEqual([whole, true, []]);
      // Keys of an earlier configuration close a hook, so they are no fault.
      writeFileSync(keys, whole.replace(/"digest":"\w{8}/, '"digest":"00000000'));
      expect(await denies()).toBe(true);
    });

    test(`${row('trust.init')} by init are the bytes that it wrote itself`, async ({ world }) => {
      const cwd = join(dirname(world.project), 'fresh');
      mkdirSync(cwd);
      await world.cli(['init'], { cwd });
      expect((await world.person(['trust', '--json'], { cwd })).json).toMatchObject({ trusted: [] });
      writeFileSync(join(cwd, config), 'roles: [{ id: evil, cli: command, command: [evil] }]\n');
      expect((await world.cli(['fleet', 'list-roles', '--json'], { cwd })).stdout).not.toContain('evil');
      rmSync(join(cwd, '.sekisho'), { recursive: true });
      expect((await world.cli(['init'], { cwd })).code).toBe(1);
    });
  });
});

describe('another project’s address', () => {
  const gated =
    'id: gated\nversion: "1"\ninitial_state: a\nstates: [{ name: a, tool_permissions: { denied: [run_agents, inject_phase_prompt] } }, { name: b, is_final: true }]\nevents: [{ name: go }]\ntransitions: [{ from: a, event: go, to: b }]\n';
  const calls = (folder: string, groupId: string): readonly (readonly [string, object])[] => [
    ['run_agents', { groupId, agents: [{ role: 'impl-code', prompt: 'x', workingDirectory: folder }] }],
    ['run_agents', { groupId, agents: [{ role: 'impl-code', prompt: 'x', workingDirectory: join(folder, 'src') }] }],
    ['run_agents', { groupId, agents: [{ role: 'impl-code', prompt: 'x', workingDirectory: '../project' }] }],
    ['inject_phase_prompt', { phase: 'phase0', context: { projectPath: folder } }],
  ];
  for (const surface of ['stdio', 'http'] as const)
    inOneWorld(surface, 'sqlite', (test) => {
      test(`${row('trust.address')} does not lead round the permissions of a run (${surface})`, async ({ world }) => {
        slip(world, '.sekisho/processes/gated.yaml', gated);
        mkdirSync(join(world.project, 'src'));
        await start(world, 'gated');
        const other = join(dirname(world.project), 'other');
        mkdirSync(join(other, '.sekisho'), { recursive: true });
        const client = await world.client({
          args: ['--project', other],
          path: `/mcp?project=${encodeURIComponent(other)}`,
        });
        const group = await world.call('create_group', { description: 'x' }, client);
        for (const [tool, input] of calls(world.project, String(group.value['groupId']))) {
          const { text } = await world.call(tool, input, client);
          expect(text, `${tool} ${JSON.stringify(input)}`).toContain('FORBIDDEN');
        }
        // In their own folder nothing is forbidden.
        const own = await world.call(
          'inject_phase_prompt',
          { phase: 'phase0', context: { projectPath: other } },
          client,
        );
        expect(own.text).not.toContain('FORBIDDEN');
      });
    });
});
