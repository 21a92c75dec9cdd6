import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

const homeOf = (world: World) => dirname(world.project);
const token = 'a-token-of-a-person-on-a-machine-without-one';

/** A machine with these clients and no others, and nothing of Sekisho. */
function machineWith(world: World, ...clients: string[]): Readonly<Record<string, string>> {
  const bin = join(homeOf(world), 'bin');
  mkdirSync(bin, { recursive: true });
  for (const one of clients) writeFileSync(join(bin, one), '#!/bin/sh\n', { mode: 0o755 });
  return { PATH: `${bin}:/usr/bin:/bin`, XDG_DATA_HOME: join(homeOf(world), 'fresh'), SEKISHO_DB: '' };
}

/** Another folder beside the project: nothing was written there. */
function emptyProject(world: World, name: string): string {
  const folder = join(homeOf(world), name);
  mkdirSync(folder);
  return folder;
}

const configurationIn = (folder: string) => readFileSync(join(folder, '.sekisho/config.yaml'), 'utf8');

/** What stands behind `Next`, on the lines of its own. */
function nextIn(screen: string): string {
  const lines = stripVTControlCharacters(screen).split('\n');
  const from = lines.findIndex((line) => /^Next\s/.test(line));
  return lines.slice(from).join(' ').replace(/^Next/, '').replaceAll(/\s+/g, ' ').trim();
}

inOneWorld('stdio', 'sqlite', (test) => {
  test('every file is named before any is written, and the next step is the one that status shows', async ({
    world,
  }) => {
    const env = machineWith(world, 'claude', 'gemini', 'code');
    const cwd = emptyProject(world, 'listed');
    execFileSync('git', ['init', '-q'], { cwd });
    writeFileSync(join(cwd, 'CLAUDE.md'), '# Mine\n');
    const before = readdirSync(cwd);
    const left = await atTerminal({ project: cwd, env: { ...world.env, ...env } }, ['init'], {
      answers: { 'Which clients': '', 'Which tools': '', 'Which process': '', 'What runs': '', '[Y/n]': 'n' },
    });
    expect(left.code, left.text).toBe(1);
    expect(left.text).toContain('Nothing was changed.');
    expect(readdirSync(cwd)).toEqual(before);
    expect(existsSync(join(homeOf(world), '.claude'))).toBe(false);
    // Only clients that are here are offered; the others are named.
    expect(left.text).toMatch(/Not found on this machine: codex, cursor, opencode, copilot, qwen/);
    expect(left.text).not.toMatch(/◻ (?:codex|qwen)/);
    const listed = (text: string) =>
      [...text.matchAll(/^ {2}(new|changed) +(\S+)$/gm)].map(([, what, path]) => `${what} ${path}`);
    const files = [
      'new .sekisho/config.yaml',
      'new ~/.claude/settings.json',
      'new ~/.claude.json',
      'new ~/.gemini/settings.json',
      'new ~/.copilot/hooks/sekisho-vscode.json',
      'new .github/hooks/sekisho-vscode.json',
      'new .vscode/mcp.json',
      'changed CLAUDE.md',
      'new GEMINI.md',
      'new AGENTS.md',
      'changed .git/info/exclude',
    ];
    expect(listed(left.text)).toEqual(files);
    const { code, stdout } = await world.cli(['init', '--yes'], { cwd, env });
    expect(code).toBe(0);
    expect(listed(stdout)).toEqual(files);
    expect(stdout.indexOf('changed  CLAUDE.md')).toBeLessThan(stdout.indexOf('Prepared: '));
    const status = await atTerminal({ project: cwd, env: { ...world.env, ...env } }, ['status']);
    expect(nextIn(stdout)).toBe(
      'sekisho start or start claude or gemini or vscode here and say: Start a Sekisho run: <goal>',
    );
    expect(nextIn(status.text)).toBe(nextIn(stdout));
  });

  test('where no client is installed, those that exist are named; where one is, preparing it is the next step', async ({
    world,
  }) => {
    const env = machineWith(world);
    const cwd = emptyProject(world, 'bare');
    const asked = await atTerminal({ project: cwd, env: { ...world.env, ...env } }, ['init'], {
      answers: { 'Which tools': '', 'Which process': '', 'What runs': '', '[Y/n]': '' },
    });
    expect(asked.code, asked.text).toBe(0);
    expect(asked.text).toContain('No client was found on this machine. Sekisho knows claude, codex');
    expect(nextIn(asked.text)).toBe('sekisho start');
    const { json } = await world.cli(['status', '--json'], { cwd, env: machineWith(world, 'qwen') });
    expect(json['next']).toBe('sekisho init --client qwen');
  });

  test('a first token that cannot be used is refused before anything is written', async ({ world }) => {
    const env = machineWith(world, 'claude');
    const cwd = emptyProject(world, 'refused');
    for (const bad of ['short', `${token}\n`]) {
      const { code, stderr } = await world.cli(['init', '--yes'], { cwd, env: { ...env, SEKISHO_PERSON_TOKEN: bad } });
      expect(code).toBe(2);
      expect(stderr).toContain('SEKISHO_PERSON_TOKEN');
    }
    expect(readdirSync(cwd)).toEqual([]);
    expect(existsSync(env['XDG_DATA_HOME'] ?? '')).toBe(false);
    expect(existsSync(join(homeOf(world), '.claude'))).toBe(false);
  });

  test('in a clone the configuration stays as it was committed, and the first token counts', async ({ world }) => {
    const env = machineWith(world, 'claude');
    const cwd = emptyProject(world, 'clone');
    mkdirSync(join(cwd, '.sekisho'));
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { test: 'node -e ""' } }));
    const committed = 'lang: en # of the whole team\n';
    writeFileSync(join(cwd, '.sekisho/config.yaml'), committed);
    const first = { ...env, SEKISHO_PERSON_TOKEN: token };
    const { code, stdout, stderr } = await world.cli(['init', '--yes'], { cwd, env: first });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('sekisho init --test-command "npm test"');
    expect(configurationIn(cwd)).toBe(committed);
    const person = { ...env, SEKISHO_TOKEN: token };
    expect((await world.cli(['trust', '--json'], { cwd, env: person })).code).toBe(0);
    expect((await world.cli(['trust', '--json'], { cwd, env })).code).toBe(1);
    // What somebody asks for is written.
    await world.cli(['init', '--toolsets', 'gate,fleet', '--json'], { cwd, env: person });
    expect(configurationIn(cwd)).toBe(`${committed}toolsets: ["gate", "fleet"]\n`);
  });

  test('a configuration that was removed comes back as a person trusted it, without a question', async ({ world }) => {
    const env = { ...machineWith(world), SEKISHO_PERSON_TOKEN: token };
    const cwd = emptyProject(world, 'removed');
    await world.cli(['init', '--toolsets', 'gate,work', '--process', 'bug-fix'], { cwd, env });
    const trusted = configurationIn(cwd);
    rmSync(join(cwd, '.sekisho'), { recursive: true });
    const there = { project: cwd, env: { ...world.env, ...env } };
    const { code, text } = await atTerminal(there, ['init'], { answers: { 'What runs': '', '[Y/n]': '' } });
    expect(code, text).toBe(0);
    expect(text).not.toContain('Which process');
    expect(configurationIn(cwd)).toBe(trusted);
    // What a person adds on that occasion counts as well.
    rmSync(join(cwd, '.sekisho'), { recursive: true });
    const person = { ...env, SEKISHO_TOKEN: token };
    const { json } = await world.cli(['init', '--test-command', 'true', '--json'], { cwd, env: person });
    expect(json['test']).toMatchObject({ command: ['true'], trusted: true });
    expect(configurationIn(cwd)).toBe(`${trusted}test: ["true"]\n`);
    const { json: seen } = await world.cli(['status', '--json'], { cwd, env });
    expect(seen['rings']).toContainEqual(expect.objectContaining({ name: 'trust', state: 'on' }));
  });

  test('a project that is new has the gate alone, whether --yes was given or not', async ({ world }) => {
    const env = machineWith(world);
    for (const [index, words] of [['init'], ['init', '--yes'], ['init', '--json']].entries()) {
      const cwd = emptyProject(world, `new-${index}`);
      expect((await world.cli(words, { cwd, env })).code).toBe(0);
      expect(parse(configurationIn(cwd))).toMatchObject({ toolsets: ['gate'] });
    }
  });

  test('a list whose toolset is off says so to a person, with the command that switches it on', async ({ world }) => {
    const env = machineWith(world);
    const cwd = emptyProject(world, 'off');
    await world.cli(['init', '--yes'], { cwd, env: { ...env, SEKISHO_PERSON_TOKEN: token } });
    const there = { project: cwd, env: { ...world.env, ...env } };
    for (const [list, toolset] of [
      ['ps', 'fleet'],
      ['tasks', 'work'],
    ] as const) {
      const shown = await atTerminal(there, [list]);
      expect(shown.code, shown.text).toBe(0);
      expect(shown.text.replaceAll(/\s+/g, ' ')).toContain(
        `The toolset ${toolset} is switched off here (on: gate). If --toolsets or SEKISHO_TOOLSETS is set, add it there; otherwise a person switches it on with: sekisho init --toolsets gate,${toolset}`,
      );
      expect((await atTerminal(there, [list, '--lang', 'ja'])).text).toContain(
        `ツールセット ${toolset} はここではオフです`,
      );
      const { code, json } = await world.cli([list, '--json'], { cwd, env });
      expect(code).toBe(1);
      expect(JSON.stringify(json)).toContain('FORBIDDEN');
    }
    // What asks for one thing gets no answer, so it fails.
    const refused = await atTerminal(there, ['work', 'get-task', '--task-id', 'tsk_1']);
    expect(refused.code, refused.text).toBe(1);
    expect(refused.text).toContain('FORBIDDEN');
    const person = { ...env, SEKISHO_TOKEN: token };
    expect((await world.cli(['init', '--toolsets', 'gate,fleet,work'], { cwd, env: person })).code).toBe(0);
    for (const list of ['ps', 'tasks']) expect((await world.cli([list, '--json'], { cwd, env })).code).toBe(0);
  });
});
