import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { makeChange, openDraft } from '../../src/setup/draft.ts';
import { everyClient, putParts } from '../../src/setup/install.ts';
import { invocations } from '../../src/setup/invocation.ts';
import { noteParts, readSetup, writeSetup } from '../../src/setup/setup-record.ts';
import { claudeSettings, personalFiles, readTree } from '../setup/client-files.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

const homeOf = (world: World) => dirname(world.project);
const all = everyClient.flatMap((one) => ['--client', one.id]);

/** Our own data folder is what may stay. */
const everything = (world: World) => readTree(homeOf(world), [join(homeOf(world), 'data'), world.db]);

function prepare(world: World): void {
  execFileSync('git', ['init', '-q'], { cwd: world.project });
  for (const [path, text] of Object.entries(personalFiles)) world.write(path, text);
  // Some keep such files elsewhere.
  mkdirSync(join(homeOf(world), 'dotfiles'));
  mkdirSync(join(homeOf(world), '.qwen'));
  writeFileSync(join(homeOf(world), 'dotfiles/qwen.json'), '{ "a": 1 }', { mode: 0o600 });
  symlinkSync('../dotfiles/qwen.json', join(homeOf(world), '.qwen/settings.json'));
}

inOneWorld('stdio', 'sqlite', (test) => {
  test('init for all clients at once, then uninstall: every file is as before, byte for byte, and the store stays', async ({
    world,
  }) => {
    prepare(world);
    const before = everything(world);
    const planned = await world.cli([
      'init',
      ...all,
      '--trust-folder',
      '--test-command',
      'true',
      '--dry-run',
      '--json',
    ]);
    expect(everything(world)).toEqual(before);
    const init = await world.cli(['init', ...all, '--trust-folder', '--test-command', 'true', '--json']);
    expect(init.code, init.stderr).toBe(0);
    const prepared = everything(world);
    const changed = Object.keys(prepared).filter(
      (path) => prepared[path] !== before[path] && prepared[path] !== 'folder',
    );
    const shown = (planned.json['changes'] as { path: string }[]).map((one) => relative(homeOf(world), one.path));
    expect(changed).toEqual(expect.arrayContaining(shown.filter((path) => !path.startsWith('.qwen'))));
    expect(shown.length).toBeGreaterThan(18);
    const settings = readFileSync(join(world.project, '../.claude/settings.json'), 'utf8');
    expect(settings).toContain('    // Mine, with four spaces.\n    "permissions": { "allow": ["Read"] },\n');
    expect(settings).toContain('/* and a comma too many */');
    expect(settings).toContain('hook pre-tool-use --client claude');
    expect(lstatSync(join(homeOf(world), '.qwen/settings.json')).isSymbolicLink()).toBe(true);
    // A second time and another folder that shares the files of the person: still the same way back.
    await world.person(['init', ...all]);
    world.write('sub/a.txt', 'a');
    const shared = ['.claude/settings.json', '.copilot/hooks/sekisho.json', '.codex/hooks.json'];
    const contents = () => shared.map((path) => readFileSync(join(homeOf(world), path), 'utf8'));
    const first = contents();
    await world.cli(['init', 'sub', '--client', 'codex', '--client', 'claude', '--client', 'copilot']);
    expect(contents()).toEqual(first);
    const agent = await world.cli(['uninstall']);
    expect(agent.code).toBe(1);
    expect(agent.stderr).toContain('Only a person');
    expect((await world.person(['uninstall', 'sub'])).code).toBe(0);
    expect(readFileSync(join(homeOf(world), '.codex/config.toml'), 'utf8')).toContain('[mcp_servers.sekisho]');
    expect(contents()).toEqual(first);
    const dry = await world.cli(['uninstall', '--dry-run']);
    expect(dry.stdout).toContain('+++ /dev/null');
    const gone = await world.person(['uninstall', '--json']);
    expect(gone.code, gone.stderr).toBe(0);
    const { ['project/sub']: _sub, ['project/sub/a.txt']: _file, ...after } = everything(world);
    expect(after).toEqual(before);
    expect(gone.json).toMatchObject({ unregistered: true, store: world.db });
    expect(existsSync(world.db)).toBe(true);
    expect((await world.person(['uninstall'])).stdout).toContain('Nothing here was set up by init.');
  });

  test('where somebody changed a file since, only our part goes', async ({ world }) => {
    const home = homeOf(world);
    prepare(world);
    const original = (path: string) => personalFiles[path] ?? '';
    const edit = (path: string, change: (text: string) => string) => {
      const whole = join(world.project, path);
      writeFileSync(whole, change(readFileSync(whole, 'utf8')));
    };
    const read = (path: string) => readFileSync(join(world.project, path), 'utf8');
    await world.cli(['init', ...all, '--trust-folder']);
    edit('../.claude/settings.json', (text) => text.replace('"Read"', '"Read", "Grep"'));
    edit('../.claude.json', (text) => text.replace('"numStartups":3', '"numStartups":4'));
    edit('../.codex/config.toml', (text) => `${text}\n[mine]\na = 1\n`);
    edit('../.codex/hooks.json', (text) => text.replace('"PreToolUse": [', '"PreToolUse": [ { "mine": true },'));
    edit('../.cursor/hooks.json', (text) => text.replace('"stop": [', '"stop": [ { "command": "mine" },'));
    edit('../.copilot/config.json', (text) => text.replace('[', '[ "/mine",'));
    edit('AGENTS.md', (text) => `${text}\n## Later\n`);
    edit('CLAUDE.md', (text) => `Before.\n\n${text}`);
    edit('.git/info/exclude', (text) => `${text}mine\n`);
    edit('.sekisho/config.yaml', (text) => `${text}toolNames: auto\n`);
    const told = await world.person(['uninstall']);
    expect(told.code, told.stderr).toBe(0);
    expect(told.stdout).toMatch(/our part removed .*\.claude\/settings\.json/);
    expect(read('../.claude/settings.json')).toBe(claudeSettings.replace('"Read"', '"Read", "Grep"'));
    expect(JSON.parse(read('../.claude.json'))).toEqual({
      projects: { '/elsewhere': { mcpServers: {} } },
      numStartups: 4,
    });
    expect(read('../.codex/config.toml')).toBe(`${original('../.codex/config.toml')}\n[mine]\na = 1\n`);
    expect(JSON.parse(read('../.codex/hooks.json'))).toEqual({ hooks: { PreToolUse: [{ mine: true }] } });
    expect(JSON.parse(read('../.cursor/hooks.json'))).toEqual({ version: 1, hooks: { stop: [{ command: 'mine' }] } });
    expect(JSON.parse(read('../.copilot/config.json'))).toEqual({ trusted_folders: ['/mine'] });
    expect(read('AGENTS.md')).toBe(`${original('AGENTS.md')}\n\n## Later\n`);
    expect(read('CLAUDE.md')).toBe('Before.\n');
    expect(read('.git/info/exclude')).toMatch(/mine\n$/);
    expect(read('.git/info/exclude')).not.toContain('hooks');
    // What a person went on with is theirs.
    expect(read('.sekisho/config.yaml')).toBe(`${original('.sekisho/config.yaml')}toolNames: auto\n`);
    expect(existsSync(join(home, '.cursor/mcp.json'))).toBe(false);
    expect(read('../.gemini/settings.json')).toBe(original('../.gemini/settings.json'));
  });

  /** As earlier versions did it for Claude Code and Copilot: into the project. */
  async function initAsBefore(world: World): Promise<void> {
    execFileSync('git', ['init', '-q'], { cwd: world.project });
    await world.cli(['init', '--client', 'codex']);
    const { path, state } = world.place.data;
    const calling = { scope: 'own', shim: join(path, 'app/sekisho'), tree: world.project, env: world.env } as const;
    const old = everyClient.flatMap((client) => {
      const call = invocations(client.id, { ...calling, repository: world.project });
      return (client.formerSetup?.(call) ?? []).map((file) => ({ ...file, client: client.id }));
    });
    const draft = openDraft();
    putParts(draft, old);
    writeSetup(state, noteParts(readSetup(state), world.project, old, draft, {}));
    for (const change of draft.changes()) makeChange(change);
    expect(old.map((one) => relative(world.project, one.path))).toEqual([
      '.claude/settings.local.json',
      '.github/hooks/sekisho.json',
    ]);
  }

  for (const remembered of [true, false])
    test(`init moves hooks out of the project into the user’s own files, ${remembered ? 'which are as before' : 'also where nobody remembers who put them there'}`, async ({
      world,
    }) => {
      const [mine, theirs] = [join(world.project, '.claude/settings.local.json'), join(world.project, '.github/hooks')];
      world.write('.claude/settings.local.json', claudeSettings);
      await initAsBefore(world);
      expect(readFileSync(mine, 'utf8')).toContain('hook pre-tool-use --client claude');
      if (!remembered) writeFileSync(join(world.place.data.state, 'setup.json'), '{}');
      const init = await world.person(['init', '--client', 'claude', '--client', 'copilot', '--json']);
      expect(init.code, init.stderr).toBe(0);
      expect((init.json['clients'] as { withdrawn: string[] }[]).map((one) => one.withdrawn)).toEqual([
        [mine],
        [join(theirs, 'sekisho.json')],
      ]);
      expect(readFileSync(mine, 'utf8')).toBe(claudeSettings);
      expect(existsSync(join(theirs, 'sekisho.json'))).toBe(false);
      if (remembered) expect(existsSync(dirname(theirs))).toBe(false);
      for (const path of ['.claude/settings.json', '.copilot/hooks/sekisho.json'])
        expect(readFileSync(join(homeOf(world), path), 'utf8')).toContain('hook pre-tool-use');
      const again = await world.person(['init', '--client', 'claude', '--client', 'copilot']);
      expect(again.stdout).not.toContain('our part removed');
    });

  test('what a project shares stays in it when somebody sets the client up for themselves', async ({ world }) => {
    await world.cli(['init', '--client', 'copilot', '--shared']);
    const file = join(world.project, '.github/hooks/sekisho.json');
    const shared = readFileSync(file, 'utf8');
    expect((await world.person(['init', '--client', 'copilot'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(shared);
  });

  test('at a terminal six keystrokes prepare a project, Ctrl-C changes nothing; both in Japanese too', async ({
    world,
  }) => {
    // A machine with one client.
    world.write('../bin/codex', '#!/bin/sh\n');
    execFileSync('chmod', ['+x', join(homeOf(world), 'bin/codex')]);
    world.write('package.json', JSON.stringify({ scripts: { test: 'node -e ""' } }));
    const env = { PATH: `${join(homeOf(world), 'bin')}:/usr/bin:/bin` };
    const before = everything(world);
    const left = await atTerminal(world, ['init', '--lang', 'ja'], { env, answers: { クライアントは: '\u0003' } });
    expect(left.code).toBe(130);
    expect(left.text).toContain('何も変更していません。');
    expect(everything(world)).toEqual(before);
    const enter = {
      'Which clients': '',
      'Which tools': '',
      'Which process': '',
      'What runs the tests': '',
      'Write these': '',
    };
    const { code, text } = await atTerminal(world, ['init'], { env, answers: enter });
    expect(code, text).toBe(0);
    expect(text).toContain('start codex here and say: Start a Sekisho run');
    expect(readFileSync(join(world.project, '.sekisho/config.yaml'), 'utf8')).toMatch(
      /toolsets: \["gate"\]\nprocess: explore-plan-implement-verify\ntest: \["npm", "test"\]\n$/,
    );
    expect(existsSync(join(world.project, '.claude'))).toBe(false);
    const prepared = everything(world);
    const declined = await atTerminal(world, ['uninstall'], { env, answers: { 'Uninstall? [y/N]': 'n' } });
    expect(declined.code).toBe(1);
    expect(declined.text).toMatch(/deleted:\s+\S*AGENTS\.md/);
    expect(declined.text).toContain('no longer be registered');
    expect(everything(world)).toEqual(prepared);
    // What somebody writes while the question stands is theirs.
    const late = join(world.project, 'AGENTS.md');
    const meanwhile = async () => writeFileSync(late, `Mine.\n\n${readFileSync(late, 'utf8')}`);
    const answers = { '取り除きますか? [y/N]': 'y' };
    const gone = await atTerminal(world, ['uninstall', '--lang', 'ja'], { env, answers, before: meanwhile });
    expect(gone.text).toContain('データベースは残しています');
    expect(readFileSync(late, 'utf8')).toBe('Mine.\n');
    rmSync(late);
    expect(everything(world)).toEqual(before);
    // Where there is nothing to take away, nothing is asked.
    expect((await atTerminal(world, ['uninstall'], { env })).text).toContain('Nothing here was set up by init.');
  });

  test('--yes takes what it finds, and what was chosen reaches the agent', async ({ world }) => {
    world.write('../bin/gemini', '#!/bin/sh\n');
    execFileSync('chmod', ['+x', join(homeOf(world), 'bin/gemini')]);
    const env = { PATH: `${join(homeOf(world), 'bin')}:/usr/bin:/bin` };
    const { json } = await world.cli(['init', '--yes', '--process', 'bug-fix', '--json'], { env });
    expect((json['clients'] as { client: string }[]).map((one) => one.client)).toEqual(['gemini']);
    expect(readFileSync(join(world.project, 'GEMINI.md'), 'utf8')).toContain('`process_id: "bug-fix"`');
    const input = JSON.stringify({ hook_event_name: 'SessionStart', source: 'startup', cwd: world.project });
    const begun = await world.cli(['hook', 'session-start', '--client', 'gemini'], { input });
    expect(begun.stdout).toContain('process_id \\"bug-fix\\"');
    expect((await world.client()).getServerCapabilities()).toBeDefined();
    expect((await world.cli(['init', '../other', '--process', 'nobody'])).stderr).toContain('bug-fix');
    expect((await world.cli(['init', '../other', '--toolsets', 'nobody'])).stderr).toContain('upstream');
  });
});

inOneWorld('stdio', 'postgres', (test) => {
  test('uninstall names the store that stays without its password', async ({ world }) => {
    const db = new URL(world.db);
    db.password = 'hush-one';
    db.searchParams.set('password', 'hush-two');
    const env = { SEKISHO_DB: db.href };
    await world.cli(['init', '--client', 'codex']);
    const told = await world.person(['uninstall', '--json'], { env });
    expect(told.code, told.stderr).toBe(0);
    expect(told.json['store']).toContain(db.pathname);
    await world.cli(['init', '--client', 'codex']);
    const shown = await world.person(['uninstall'], { env });
    expect(shown.stdout).toContain(db.pathname);
    expect(told.stdout + told.stderr + shown.stdout + shown.stderr).not.toContain('hush');
  });
});
