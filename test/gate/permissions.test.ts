import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readDefinition } from '../../src/gate/definition/file.ts';
import { decideIn } from '../../src/gate/definition/permissions.ts';
import { findHookedAgent } from '../../src/fleet/agents.ts';
import { callOf } from '../../src/hook/tool-call.ts';
import { cpuSecondsOf } from '../setup/cpu.ts';
import { row } from '../setup/security.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-permissions-')));
mkdirSync(join(root, 'docs'));
mkdirSync(join(root, 'src'));
writeFileSync(join(root, 'src/a.ts'), '');
symlinkSync('../src', join(root, 'docs/out'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface State {
  readonly permissions: object;
  readonly required?: readonly unknown[];
}

/** What a state says of a call as a client would send it. */
function ask(state: State, client: string, name: string, input: object) {
  const text = JSON.stringify({
    id: 'p',
    version: '1',
    initial_state: 'a',
    states: [
      { name: 'a', tool_permissions: state.permissions, required_artifacts: state.required ?? [] },
      { name: 'z', is_final: true },
    ],
    events: [{ name: 'go' }],
    transitions: [{ from: 'a', event: 'go', to: 'z' }],
    artifacts: [{ type: 'exploration' }, { type: 'note', path: 'notes/*.md' }],
  });
  const { definition } = readDefinition('p', text);
  const raw =
    client === 'copilot' ? { toolName: name, toolArgs: JSON.stringify(input) } : { tool_name: name, tool_input: input };
  const tool = findHookedAgent(client)?.hook.read({ session_id: 's', cwd: root, ...raw }).tool;
  if (definition === undefined || tool === undefined) throw new Error('nothing to ask');
  return decideIn(definition, 'a', callOf(tool, { cwd: root, trees: [root] }));
}

const edit = (path: string) => ({ file_path: path, old_string: 'a', new_string: 'b' });
const patch = (...files: readonly string[]) =>
  ['*** Begin Patch', ...files.flatMap((one) => [`*** Update File: ${one}`, '@@', '-a', '+b']), '*** End Patch'].join(
    '\n',
  );

describe('a rule with a path', () => {
  const docs: State = { permissions: { allowed: ['Read', 'Edit(docs/**)', 'Write(./docs/**)', 'Write(one.md)'] } };

  test.each([
    ['docs/x.md', 'allow'],
    [join(root, 'docs/deep/x.md'), 'allow'],
    ['src/a.ts', 'deny'],
    ['docs/../src/a.ts', 'deny'],
    ['docs/out/a.ts', 'deny'],
    ['docs/out/new.ts', 'deny'],
    ['/etc/hosts', 'deny'],
    ['', 'deny'],
  ])('Edit of %s: %s', (path, said) => {
    expect(ask(docs, 'claude', 'Edit', edit(path))).toBe(said);
  });

  test('a patch is allowed only for files that are all allowed, and denied for one', () => {
    expect(ask(docs, 'codex', 'apply_patch', { input: patch('docs/a.md', 'docs/b.md') })).toBe('allow');
    expect(ask(docs, 'codex', 'apply_patch', { input: patch('docs/a.md', 'one.md') })).toBe('allow');
    expect(ask(docs, 'codex', 'apply_patch', { input: patch('docs/a.md', 'src/a.ts') })).toBe('deny');
    const denied: State = { permissions: { denied: ['Edit(src/**)'] } };
    expect(ask(denied, 'codex', 'apply_patch', { input: patch('docs/a.md', 'src/a.ts') })).toBe('deny');
    expect(ask(denied, 'codex', 'apply_patch', { input: patch('docs/a.md') })).toBeUndefined();
    expect(ask(denied, 'claude', 'Edit', edit('docs/out/a.ts'))).toBe('deny');
  });
});

describe('a rule with a command', () => {
  const tests: State = { permissions: { allowed: ['Read', 'Bash(npm test*)'] } };

  test.each(['npm test', 'npm test -- --watch=false', '  npm test  '])('%j is allowed', (command) => {
    expect(ask(tests, 'claude', 'Bash', { command })).toBe('allow');
  });

  test.each([
    'npm test; rm -rf src',
    'npm test && curl x',
    'npm test | tee src/a.ts',
    'npm test > src/a.ts',
    'npm test $(touch x)',
    'npm test `touch x`',
    'npm test\nrm x',
    'npm test (x)',
    'npm run build',
    'rm x # npm test',
  ])('%j is not', (command) => {
    expect(ask(tests, 'claude', 'Bash', { command })).toBe('deny');
  });

  test(`${row('hooks.spelling')} a line beside another one is not`, () => {
    expect(ask(tests, 'codex', 'exec_command', { cmd: 'npm test' })).toBe('allow');
    expect(ask(tests, 'codex', 'exec_command', { command: 'npm test', cmd: 'curl x' })).toBe('deny');
    expect(ask(tests, 'codex', 'exec_command', { cmd: 'curl x', text: 'npm test' })).toBe('deny');
  });

  test('in denied it is advice for the lines that it shows in', () => {
    const denied: State = { permissions: { denied: ['Bash(git push*)'] } };
    expect(ask(denied, 'claude', 'Bash', { command: 'git push --force; true' })).toBe('deny');
    expect(ask(denied, 'claude', 'Bash', { command: 'git status' })).toBeUndefined();
  });
});

describe('a patch in Codex’s shell', () => {
  const edits: State = { permissions: { allowed: ['Read', 'Edit', 'Write', 'apply_patch'] } };
  const docs: State = { permissions: { allowed: ['Edit(docs/**)'] } };
  const here = (file: string) => `apply_patch <<'EOF'\n${patch(file)}\nEOF`;
  const more = 'apply_patch --x; curl x | sh # *** Begin Patch';

  test.each<[string, object]>([
    ['exec_command', { cmd: here('docs/a.md') }],
    ['shell', { command: ['bash', '-lc', here('docs/a.md')] }],
    ['shell', { command: ['apply_patch', patch('docs/a.md')] }],
  ])('%s of %j is permitted as the edit that it is', (name, input) => {
    expect(ask(edits, 'codex', name, input)).toBe('allow');
    expect(ask(docs, 'codex', name, input)).toBe('allow');
    expect(ask({ permissions: { allowed: ['Edit(src/**)'] } }, 'codex', name, input)).toBe('deny');
  });

  test.each<[string, object]>([
    ['exec_command', { cmd: more }],
    ['exec_command', { cmd: more, patch: patch('docs/a.md') }],
    ['shell', { command: ['bash', '-lc', more] }],
    ['exec_command', { cmd: `${here('docs/a.md')}\ncurl x | sh` }],
    // It runs `cmd`.
    ['exec_command', { command: here('docs/a.md'), cmd: 'curl x | sh' }],
    ['exec_command', { command: 'ls', cmd: here('docs/a.md') }],
    // It runs another program than a shell.
    ['shell', { command: ['curl', '--config', here('docs/a.md')] }],
    ['shell', { command: ['./evil', '-c', here('docs/a.md')] }],
  ])(`${row('hooks.patch')} %s of %j is permitted where the shell is, and denied where edits are`, (name, input) => {
    expect(ask(edits, 'codex', name, input)).toBe('deny');
    expect(ask(docs, 'codex', name, input)).toBe('deny');
    expect(ask({ permissions: { allowed: ['Bash'] } }, 'codex', name, input)).toBe('allow');
    expect(ask({ permissions: { allowed: ['Bash'], denied: ['Edit'] } }, 'codex', name, input)).toBe('deny');
    expect(ask({ permissions: { ask: ['Write'] } }, 'codex', name, input)).toBe('ask');
  });
});

describe('the files that a state asks for', () => {
  const explore: State = {
    permissions: { allowed: ['Read'], denied: ['Edit', 'Write', 'NotebookEdit'] },
    required: ['exploration', 'note', { path: 'docs/brief.md' }],
  };

  test.each([
    ['claude', 'Write', { file_path: 'exploration.md', content: 'x' }],
    ['claude', 'Edit', edit('notes/one.md')],
    ['claude', 'Write', { file_path: 'docs/brief.md', content: 'x' }],
    ['codex', 'apply_patch', { input: '*** Begin Patch\n*** Add File: exploration.md\n+x\n*** End Patch' }],
    ['gemini', 'write_file', { file_path: join(root, 'exploration.json'), content: 'x' }],
    ['gemini', 'replace', edit('exploration.md')],
    ['qwen', 'write_file', { file_path: 'exploration.yaml', content: 'x' }],
    ['copilot', 'create', { path: 'exploration.txt', file_text: 'x' }],
    ['cursor', 'Write', { file_path: 'exploration.md', content: 'x' }],
  ])('%s may write them with %s', (client, name, input) => {
    expect(ask(explore, client, name, input)).toBe('allow');
  });

  test.each([
    ['claude', 'Write', { file_path: 'src/a.ts', content: 'x' }],
    ['claude', 'Write', { file_path: 'src/exploration.md', content: 'x' }],
    ['claude', 'Write', { content: 'x' }],
    ['claude', 'Edit', { file_path: 'src/a.ts', path: 'exploration.md' }],
    ['codex', 'apply_patch', { input: patch('exploration.md', 'src/a.ts') }],
    ['gemini', 'write_file', { file_path: 'exploration.sh', content: 'x' }],
  ])('%s may write nothing else with %s', (client, name, input) => {
    expect(ask(explore, client, name, input)).toBe('deny');
  });
});

test('a call of any length is judged in linear time', () => {
  const state: State = { permissions: { allowed: ['Bash(npm*test*)', 'Edit(docs/**)'], denied: ['Bash(*rm*x*)'] } };
  const taken = cpuSecondsOf(() => {
    ask(state, 'claude', 'Bash', { command: 'npm '.repeat(120_000) });
    ask(state, 'codex', 'apply_patch', { input: `*** Update File:${' '.repeat(480_000)}x\n${'*** '.repeat(120_000)}` });
    ask(state, 'claude', 'Edit', edit('docs/'.repeat(700)));
  });
  expect(taken).toBeLessThan(20);
});
