import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHookedAgent } from '../../src/fleet/agents.ts';
import { findProtectedFile } from '../../src/hook/protect.ts';
import { realPath } from '../../src/hook/real-path.ts';
import { refuses, shapes } from './clients.ts';
import { type HookWorld, makeHookWorld } from './hooks-world.ts';
import { row } from '../setup/security.ts';

let hooks: HookWorld;
let project: string;
beforeAll(async () => {
  hooks = await makeHookWorld('build');
  project = hooks.world.project;
  const at = (path: string) => join(project, path);
  mkdirSync(at('src/deep'), { recursive: true });
  mkdirSync(at('.github'));
  symlinkSync('.sekisho', at('innocent'));
  symlinkSync('innocent', at('twice'));
  symlinkSync('../.sekisho/processes/new.yaml', at('src/dangling.md'));
  symlinkSync('loop', at('loop'));
  symlinkSync(join(import.meta.dirname, '../..'), at('program'));
  symlinkSync(join(hooks.home, '.claude'), at('profile'));
  writeFileSync(at('.mcp.json'), '{}');
  linkSync(at('.mcp.json'), at('hard.json'));
});
afterAll(() => hooks.close());

/** Each is a file that holds an agent to the process; every client's own file tools are refused it. */
const targets: Readonly<Record<string, () => string>> = {
  'the configuration': () => '.sekisho/config.yaml',
  'a definition': () => '.sekisho/processes/hooked.yaml',
  'a new file in it': () => '.sekisho/new/deep/file.yaml',
  'an absolute path': () => join(project, '.sekisho/config.yaml'),
  'a path with dots': () => 'src/../src/deep/../../.sekisho/config.yaml',
  'another case': () => '.SEKISHO/Config.yaml',
  'a link': () => 'innocent/config.yaml',
  'a link to a link': () => 'twice/config.yaml',
  'a link that leads to nothing yet': () => 'src/dangling.md',
  'a folder of that name further down': () => 'packages/a/.sekisho/config.yaml',
  'the state': () => join(hooks.world.place.data.path, 'state/user.db'),
  'the registry of roots': () => join(hooks.world.place.data.path, 'state/roots/x.json'),
  'the program that hooks start': () => join(hooks.world.place.data.path, 'app/sekisho'),
  'the copy of the program': () => join(hooks.world.place.data.path, 'app/0.1.0-0123abcd/dist/hook.cjs'),
  'its code cache': () => join(hooks.world.place.data.path, 'app/0.1.0-0123abcd/dist/.cache/v20/hook.cjs-1'),
  'the program that answers': () => join(import.meta.dirname, '../../dist/cli.cjs'),
  'the program that answers, through a link': () => 'program/bin/sekisho',
  'a package that npm installed': () => '/usr/lib/node_modules/sekisho/dist/cli.cjs',
  'a package of the project': () => 'node_modules/sekisho/bin/sekisho',
  'the state, relative': () => relative(project, join(hooks.world.place.data.path, 'state/human.token')),
  'Claude’s hooks': () => '.claude/settings.json',
  'Claude’s own hooks': () => '.claude/settings.local.json',
  'Claude’s servers': () => '.mcp.json',
  'Claude’s hooks in another case': () => '.Claude/Settings.JSON',
  'Claude’s hooks of the user': () => join(hooks.home, '.claude/settings.json'),
  'the same through a link': () => 'profile/settings.json',
  'Claude’s servers of the user': () => join(hooks.home, '.claude.json'),
  'Codex’s hooks': () => '.codex/hooks.json',
  'Codex’s configuration': () => '.codex/config.toml',
  'Codex’s configuration of the user': () => join(hooks.home, '.codex/config.toml'),
  'Gemini’s settings': () => '.gemini/settings.json',
  'Gemini’s trusted folders': () => join(hooks.home, '.gemini/trustedFolders.json'),
  'Qwen’s settings': () => '.qwen/settings.json',
  'Copilot’s hooks': () => '.github/hooks/sekisho.json',
  'another hook for Copilot': () => '.github/hooks/mine.json',
  'Copilot’s hooks of the user': () => join(hooks.home, '.copilot/hooks/sekisho.json'),
  'Copilot’s settings, which can switch hooks off': () => '.github/copilot/settings.local.json',
  'Cursor’s hooks': () => '.cursor/hooks.json',
  'Cursor’s servers': () => './.cursor/../.cursor/mcp.json',
  'VS Code’s hooks': () => '.github/hooks/sekisho-vscode.json',
  'VS Code’s hooks of the user': () => join(hooks.home, '.copilot/hooks/sekisho-vscode.json'),
  'VS Code’s servers': () => '.vscode/mcp.json',
  'VS Code’s settings, which can switch hooks off': () => '.vscode/settings.json',
  'VS Code’s settings of the user': () => join(hooks.home, '.config/Code/User/settings.json'),
  'opencode’s configuration': () => 'opencode.json',
  'opencode’s plugin': () => '.opencode/plugins/sekisho.js',
};

test(`${row('hooks.files')} more than a hundred and fifty attempts, by every client`, () => {
  expect(shapes.length).toBeGreaterThan(5);
  expect(Object.keys(targets).length * shapes.length).toBeGreaterThan(150);
});

describe.each(shapes)('$asker by the file of $client', (shape) => {
  test.each(Object.keys(targets))(`${row('hooks.files')} may neither write nor edit %s`, async (name) => {
    const path = targets[name]?.() ?? '';
    expect(refuses(await hooks.ask(shape.client, shape.write(path)))).toBe(true);
    expect(refuses(await hooks.ask(shape.client, shape.edit(path)))).toBe(true);
  });

  test(`${row('hooks.reading')} may read them all`, async () => {
    for (const path of Object.values(targets).map((one) => one()))
      expect(refuses(await hooks.ask(shape.client, shape.read(path))), path).toBe(false);
  });

  test(`${row('hooks.shell', 'state.same-user')} is not stopped by a hook where a shell does it: evidence and the sandbox are for that`, async () => {
    for (const line of ['rm -rf .sekisho', 'echo x > .claude/settings.json', 'cat .sekisho/human.token'])
      expect(refuses(await hooks.ask(shape.client, shape.shell(line))), line).toBe(false);
  });
});

describe('other ways to spell a change', () => {
  const denied = async (client: string, tool: string, input: object, cwd = project) =>
    refuses(await hooks.ask(client, { session_id: 's', tool_name: tool, tool_input: input }, cwd));
  const patch = (...heads: string[]) =>
    ['*** Begin Patch', ...heads.flatMap((head) => [head, '@@', '-a', '+b']), '*** End Patch'].join('\n');

  test.each([
    ['claude', 'MultiEdit', { file_path: '.sekisho/config.yaml', edits: [] }],
    ['claude', 'NotebookEdit', { notebook_path: '.sekisho/x.ipynb', new_source: '' }],
    ['claude', 'Write', { file_path: 'file://PROJECT/.sekisho/x' }],
    ['claude', 'Write', { path: 'src/a.ts', file_path: '.sekisho/config.yaml' }],
    ['codex', 'apply_patch', { input: patch('*** Add File: a.md', '*** Update File: .sekisho/config.yaml') }],
    ['codex', 'apply_patch', { input: patch('*** Update File: a', '*** Move to: .sekisho/a') }],
    ['codex', 'apply_patch', { patch: patch('*** Delete File: .codex/hooks.json') }],
    ['codex', 'apply_patch', { command: ['apply_patch', patch('  *** Update File:   .sekisho/config.yaml  ')] }],
    ['codex', 'apply_patch', { input: '--- a/.mcp.json\n+++ b/.mcp.json\n@@\n-a\n+b' }],
    ['codex', 'shell', { command: ['apply_patch', patch('*** Update File: .sekisho/config.yaml')] }],
    ['codex', 'shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch('*** Add File: .mcp.json')}\nEOF`] }],
    ['codex', 'exec_command', { cmd: `apply_patch <<'EOF'\n${patch('*** Update File: .sekisho/config.yaml')}\nEOF\n` }],
    ['codex', 'exec_command', { cmd: `cd src && apply_patch <<'X'\n${patch('*** Update File: ../.sekisho/a')}\nX` }],
    ['codex', 'exec_command', { cmd: `apply_patch <<"P"\n${patch('*** Add File: a')}\nP`, workdir: '.sekisho' }],
    ['copilot', 'apply_patch', { input: patch('*** Update File: .github/hooks/sekisho.json') }],
    ['copilot', 'str_replace_editor', { command: 'create', path: '.sekisho/x' }],
    ['cursor', 'ApplyPatch', { patch: patch('*** Update File: .cursor/hooks.json') }],
    ['cursor', 'Delete', { path: '.sekisho' }],
    ['cursor', 'Delete', { path: '.cursor' }],
    ['cursor', 'EditNotebook', { target_notebook: '.sekisho/x.ipynb' }],
    ['vscode', 'insert_edit_into_file', { filePath: 'PROJECT/.sekisho/config.yaml', code: 'x', explanation: 'x' }],
    ['vscode', 'multi_replace_string_in_file', { replacements: [{ filePath: 'a' }, { filePath: '.sekisho/x' }] }],
    ['vscode', 'edit_notebook_file', { filePath: '.sekisho/x.ipynb', editType: 'insert', newCode: 'x' }],
    ['vscode', 'apply_patch', { input: patch('*** Update File: PROJECT/.sekisho/config.yaml'), explanation: 'x' }],
    ['vscode', 'apply_patch', { input: patch('*** Add File: .github/hooks/sekisho-vscode.json') }],
    ['vscode', 'edit_files', { files: ['src/a.ts', '.vscode/mcp.json'] }],
    ['vscode', 'vscode_renameSymbol', { symbol: 'a', newName: 'b', filePath: '.sekisho/x.ts' }],
    ['vscode', 'create_file', { filePath: 'vscode-remote://wsl+debianPROJECT/.claude/settings.json' }],
    ['vscode', 'create_file', { filePath: 'file:///PROJECT/%2Evscode/settings%2Ejson' }],
    ['vscode', 'create_file', { filePath: 'file:PROJECT/.mcp.json?x=1#y' }],
    ['claude', 'multi_replace_string_in_file', { replacements: [{ filePath: '.sekisho/config.yaml' }] }],
    ['claude', 'insert_edit_into_file', { filePath: '.claude/settings.json' }],
    ['claude', 'edit_notebook_file', { filePath: '.sekisho/x.ipynb' }],
    ['claude', 'copilot_createFile', { filePath: '.sekisho/config.yaml' }],
    ['copilot', 'multi_replace_string_in_file', { replacements: [{ filePath: '.sekisho/config.yaml' }] }],
    // Copilot CLI runs the hooks of VS Code’s file.
    ['vscode', 'create', { path: '.sekisho/x' }],
    ['gemini', 'write_file', { file_path: '.gemini/settings.json' }],
    ['qwen', 'tool_call', { name: 'write_file', arguments: { file_path: '.qwen/settings.json' } }],
  ])(`${row('hooks.spelling')} %s: %s %j is refused`, async (client, tool, input) => {
    const told = JSON.parse(JSON.stringify(input).replaceAll('PROJECT', project)) as object;
    expect(await denied(client, tool, told)).toBe(true);
  });

  test(`${row('hooks.spelling')} a path counts from the folder that the call is made in`, async () => {
    expect(await denied('claude', 'Write', { file_path: '../../.sekisho/x' }, join(project, 'src/deep'))).toBe(true);
    expect(await denied('claude', 'Write', { file_path: 'x' }, join(project, '.sekisho'))).toBe(true);
    expect(await denied('claude', 'Write', { file_path: '.mcp.json' }, join(project, 'src'))).toBe(true);
  });

  test(`${row('hooks.files')} agents work in the worktrees that lie in the data folder`, async () => {
    const worktree = join(hooks.world.place.worktrees, 'agent-1');
    expect(await denied('claude', 'Write', { file_path: join(worktree, 'src/a.ts') }, worktree)).toBe(false);
    expect(await denied('claude', 'Write', { file_path: join(worktree, '.sekisho/config.yaml') }, worktree)).toBe(true);
  });

  test(`${row('program.clone')} Sekisho is developed in its own clone: there its files are the project’s`, () => {
    const clone = join(import.meta.dirname, '../..');
    const input = { file_path: join(clone, 'src/hook/protect.ts') };
    const tool = findHookedAgent('claude')?.hook.read({ tool_name: 'Edit', tool_input: input }).tool;
    if (tool === undefined) throw new Error('no tool was read');
    const place = { data: '/data/sekisho', bases: [], moved: [], cwd: clone };
    expect(findProtectedFile(tool, { ...place, project: [clone] })).toBeUndefined();
    expect(findProtectedFile(tool, { ...place, project: ['/p'] })).toMatchObject({ kind: 'ours' });
  });

  test(`${row('hooks.unseen')} what no hook sees is known: a tool of another server, a hard link, a program, a shell that goes on after a patch`, async () => {
    for (const [client, tool, input] of [
      ['claude', 'mcp__filesystem__write_file', { path: '.sekisho/config.yaml' }],
      ['gemini', 'mcp_shell_run', { command: 'rm -rf .sekisho' }],
      ['claude', 'Write', { file_path: 'hard.json' }],
      ['claude', 'Write', { file_path: 'loop/x' }],
      ['codex', 'write_stdin', { session_id: 1, chars: 'rm -rf .sekisho\n' }],
      ['claude', 'Bash', { command: "python3 -c \"import shutil; shutil.rmtree('.se' + 'kisho')\"" }],
    ] as const)
      expect(await denied(client, tool, input), `${client} ${tool}`).toBe(false);
  });
});

describe('a patch in Codex’s shell', () => {
  const names = (cmd: string) =>
    findHookedAgent('codex')?.hook.read({ tool_name: 'exec_command', tool_input: { cmd } }).tool;
  const patch = '*** Begin Patch\n*** Add File: a.md\n+x\n*** End Patch';

  test(`${row('hooks.patch')} is an edit, and its files can be seen`, () => {
    for (const line of [`apply_patch <<'EOF'\n${patch}\nEOF`, `cd src && apply_patch <<"EOF"\n${patch}\nEOF\n`]) {
      expect(names(line)?.names, line).toEqual(expect.arrayContaining(['Bash', 'apply_patch', 'Edit', 'Write']));
      expect(names(line)?.input['patch'], line).toBe(patch);
    }
  });

  test(`${row('hooks.patch')} is an edit whose files cannot be seen where the shell would run more`, () => {
    for (const line of [
      `apply_patch <<EOF\n${patch}\n$(rm -rf /)\nEOF`,
      `apply_patch <<'EOF'\n${patch}\nEOF\nrm -rf /`,
      `true; apply_patch <<'EOF'\n${patch}\nEOF`,
      `cd "$(rm x)" && apply_patch <<'EOF'\n${patch}\nEOF`,
    ]) {
      expect(names(line)?.names, line).toContain('Edit');
      expect(names(line)?.input, line).toEqual({ cmd: line });
    }
  });

  test(`${row('hooks.patch')} is denied where the state denies edits`, async () => {
    const restricted = await makeHookWorld('plan');
    const answer = await restricted.ask('codex', {
      tool_name: 'exec_command',
      tool_input: { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` },
    });
    await restricted.close();
    expect(refuses(answer)).toBe(true);
  });
});

describe('work', () => {
  const place = { data: '/data/sekisho', project: ['/p'], bases: ['/p', '/home/me'], moved: [], cwd: '/p' };

  test(`${row('hooks.slow')} grows with a path and with nothing else`, () => {
    const steps = (path: string) => {
      let count = 0;
      realPath(path, () => (count++, null));
      return count;
    };
    expect(steps(`/${'a/'.repeat(1000)}`)).toBe(1000);
    expect(steps(`/${'a/'.repeat(2000)}`)).toBe(2000);
    // Longer than any file system takes: nothing is there to be looked at.
    expect(steps(`/${'a/'.repeat(100_000)}`)).toBe(0);
    expect(steps(`/${'a/../'.repeat(100_000)}b`)).toBe(1);
    let looked = 0;
    realPath('/loop/x', (path) => (looked++, path === '/loop' ? 'loop' : undefined));
    expect(looked).toBeLessThan(50);
  });

  test(`${row('hooks.slow')} is little for what once took half a minute, ten times as long`, () => {
    const codex = findHookedAgent('codex')?.hook;
    const claude = findHookedAgent('claude')?.hook;
    const patched = (text: string) => codex?.read({ tool_name: 'apply_patch', tool_input: { input: text } }).tool;
    const shell = (text: string) => codex?.read({ tool_name: 'exec_command', tool_input: { cmd: text } }).tool;
    const bash = (text: string) => claude?.read({ tool_name: 'Bash', tool_input: { command: text } }).tool;
    for (const tool of [
      bash('"${a-"'.repeat(400_000)),
      patched(`*** Add File:${' '.repeat(600_000)}x`),
      patched(`${' '.repeat(600_000)}\n`.repeat(3)),
      patched('*** Add File: a\n'.repeat(150_000)),
      shell(`apply_patch *** Begin Patch${' '.repeat(600_000)};${'| '.repeat(300_000)}`),
      shell(`*** Begin Patch\n${'; ; '.repeat(300_000)}`),
    ]) {
      if (tool === undefined) throw new Error('no tool was read');
      expect(findProtectedFile(tool, place)).toBeUndefined();
    }
  });
});
