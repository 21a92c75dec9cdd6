import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Who } from '../../src/app/actor.ts';
import { actorsOf } from '../../src/app/actor.ts';
import type { Call } from '../../src/kernel/application.ts';
import type { Principal } from '../../src/kernel/principal.ts';
import { loadHookConfig } from '../../src/config/hook.ts';
import type { Start } from '../../src/kernel/confine.ts';
import { bareLaunch } from '../../src/kernel/confine.ts';
import type { Sentence } from '../../src/kernel/text.ts';
import type { ToolPermissions } from '../../src/gate/definition/definition.ts';
import type { HookAnswer } from '../../src/fleet/agent-hook.ts';
import { command } from '../../src/gate/guard/command.ts';
import type { Look } from '../../src/gate/guard.ts';
import { agentMarks, findHookedAgent, hookedAgents, projectFolders } from '../../src/fleet/agents.ts';
import { touchedFile } from '../../src/hook/protect.ts';
import { secretFile } from '../../src/hook/secret.ts';
import { onlyReads } from '../../src/hook/shell.ts';
import { decideTool, withoutAsking } from '../../src/gate/definition/permissions.ts';

function hookOf(id: string) {
  const client = findHookedAgent(id);
  if (client === undefined) throw new Error(`no client ${id}`);
  return client.hook;
}

function toolOf(id: string, raw: object) {
  const { tool } = hookOf(id).read(raw as Record<string, unknown>);
  if (tool === undefined) throw new Error('no tool was read');
  return tool;
}

/** Every client spells the field in its own way. */
function question(id: string, name: string, input: object = {}): object {
  return id === 'copilot'
    ? { sessionId: 's', cwd: '/p', toolName: name, toolArgs: JSON.stringify(input) }
    : { session_id: 's', cwd: '/p', tool_name: name, tool_input: input };
}

const permissions = (some: Partial<ToolPermissions>): ToolPermissions => ({
  allowed: [],
  denied: [],
  ask: [],
  ...some,
});

describe('names', () => {
  test.each([
    ['claude', 'Bash', 'Bash'],
    ['claude', 'Monitor', 'Bash'],
    ['claude', 'Agent', 'Task'],
    ['codex', 'Bash', 'Bash'],
    ['codex', 'exec_command', 'Bash'],
    ['codex', 'apply_patch', 'Edit'],
    ['codex', 'apply_patch', 'Write'],
    ['gemini', 'run_shell_command', 'Bash'],
    ['gemini', 'write_file', 'Write'],
    ['gemini', 'replace', 'Edit'],
    ['gemini', 'read_file', 'Read'],
    ['gemini', 'google_web_search', 'WebSearch'],
    ['qwen', 'run_shell_command', 'Bash'],
    ['qwen', 'edit', 'Edit'],
    ['copilot', 'bash', 'Bash'],
    ['copilot', 'view', 'Read'],
    ['copilot', 'create', 'Write'],
    ['cursor', 'Shell', 'Bash'],
    ['cursor', 'Write', 'Edit'],
    ['cursor', 'StrReplace', 'Edit'],
  ])('%s calls it %s, a process %s', (client, name, canonical) => {
    const { names } = toolOf(client, question(client, name));
    expect(names).toContain(canonical);
    expect(decideTool(permissions({ denied: [canonical] }), { names })).toBe('deny');
    expect(decideTool(permissions({ allowed: [canonical] }), { names })).toBe('allow');
  });

  test.each([
    ['claude', 'mcp__probe__state_gate_get_state'],
    ['codex', 'mcp__probe__state_gate_get_state'],
    ['gemini', 'mcp_probe_state_gate.get_state'],
    ['qwen', 'mcp__probe__state_gate_get_state_00eh4gy'],
    ['qwen', 'mcp__probe__state_gate.get_state'],
    ['copilot', 'probe-state_gate-get_state'],
    ['cursor', 'MCP:state_gate.get_state'],
  ])('%s spells an MCP tool %s, and every way to write it in a process binds it', (client, name) => {
    const { names } = toolOf(client, question(client, name));
    for (const pattern of ['state_gate.get_state', 'state_gate_get_state', 'mcp__*__state_gate_get_state'])
      expect(decideTool(permissions({ denied: [pattern] }), { names }), pattern).toBe('deny');
    if (client !== 'cursor')
      expect(decideTool(permissions({ denied: ['mcp__probe__state_gate.get_state'] }), { names })).toBe('deny');
    expect(decideTool(permissions({ denied: ['mcp__other__*'] }), { names })).toBeUndefined();
    // Cursor's first question does not tell the server; its second does.
    if (client !== 'cursor') expect(decideTool(permissions({ allowed: ['Read'] }), { names })).toBe('deny');
  });

  test.each([
    ['claude', 'mcp__sekisho__state_gate_get_state'],
    ['claude', 'mcp__sekisho__report_completed'],
    ['claude', 'ToolSearch'],
    ['codex', 'mcp__sekisho__state_gate_get_state'],
    ['codex', 'tool_search'],
    ['gemini', 'mcp_sekisho_state_gate.get_state'],
    ['gemini', 'mcp_sekisho_report_completed'],
    ['gemini', 'mcp__sekisho__report_completed'],
    ['qwen', 'mcp__sekisho__state_gate_get_state_00eh4gy'],
    ['qwen', 'mcp__sekisho__state_gate.get_state'],
    ['copilot', 'sekisho-state_gate-get_state'],
    ['copilot', 'sekisho-report_completed'],
    ['cursor', 'MCP:state_gate.get_state'],
  ])('%s is not locked out of our %s by an allow-list or a question', (client, name) => {
    const { names } = toolOf(client, question(client, name));
    expect(decideTool(permissions({ allowed: ['Read'] }), { names })).toBeUndefined();
    expect(withoutAsking(decideTool(permissions({ ask: ['*'] }), { names }), names)).toBeUndefined();
    expect(decideTool(permissions({ denied: ['*'] }), { names })).toBe('deny');
  });

  test.each([
    ['claude', 'mcp__evil__report_x', 'report_x'],
    ['claude', 'mcp__sekisho__evil__report_x', 'evil__report_x'],
    ['claude', 'mcp__sekisho__report__x', 'report__x'],
    ['claude', 'mcp__evil__sekisho__report_x', 'sekisho__report_x'],
    ['codex', 'mcp__evil__activate', 'activate'],
    ['gemini', 'mcp_evil_report_x', 'report_x'],
    ['gemini', 'mcp_evil_sekisho_report_x', 'report_x'],
    ['qwen', 'mcp__evil__report_x', 'report_x'],
    ['copilot', 'evil-report_x', 'report_x'],
  ])('%s may not pass %s off as ours, and rules by its bare name still bind it', (client, name, bare) => {
    const { names } = toolOf(client, question(client, name));
    expect(decideTool(permissions({ allowed: ['Read'] }), { names })).toBe('deny');
    expect(withoutAsking(decideTool(permissions({ ask: [bare] }), { names }), names)).toBe('deny');
    expect(decideTool(permissions({ denied: [bare] }), { names })).toBe('deny');
  });

  test('cursor’s word for the server closes what only sounds like ours', () => {
    const raw = { hook_event_name: 'beforeMCPExecution', tool_name: 'report_x', tool_input: '{}' };
    const decide = (server: string) =>
      decideTool(permissions({ allowed: ['Read'] }), toolOf('cursor', { ...raw, mcp_server_name: server }));
    expect(decide('evil')).toBe('deny');
    expect(decide('sekisho')).toBeUndefined();
  });

  test('cursor tells the server before an MCP call', () => {
    const raw = { hook_event_name: 'beforeMCPExecution', tool_name: 'drop', tool_input: '{}', mcp_server_name: 'db' };
    expect(toolOf('cursor', raw).names).toContain('mcp__db__drop');
  });

  test('gemini’s context tells the server from the tool for sure', () => {
    const raw = { ...question('gemini', 'mcp_a_b_c_d'), mcp_context: { server_name: 'a_b', tool_name: 'c_d' } };
    expect(toolOf('gemini', raw).names).toEqual(['mcp_a_b_c_d', 'mcp__a_b__c_d', 'c_d']);
  });

  test('qwen’s deferred tools are judged by the tool that is meant', () => {
    const raw = question('qwen', 'tool_call', { name: 'mcp__db__drop', arguments: { path: 'x' } });
    expect(toolOf('qwen', raw)).toMatchObject({ name: 'mcp__db__drop', input: { path: 'x' } });
  });

  test('a name that is in Object.prototype is just a name', () => {
    for (const { id } of hookedAgents) expect(toolOf(id, question(id, 'constructor')).names).toEqual(['constructor']);
  });
});

describe('shapes', () => {
  const deny: HookAnswer = { kind: 'deny', reason: 'DENIED-BY-HOOK' };

  test('the answer to Claude Code is the one that stopped the real one', () => {
    const lines = readFileSync(join(import.meta.dirname, '../fixtures/hook/claude.hook-deny.ndjson'), 'utf8');
    const seen = lines
      .split('\n')
      .filter((line) => line.includes('"hook_response"') && line.includes('PreToolUse'))
      .map((line) => (JSON.parse(line) as { stdout: string }).stdout)
      .filter((stdout) => stdout !== '');
    expect(seen.length).toBeGreaterThan(0);
    for (const stdout of seen) expect(hookOf('claude').write(deny)).toBe(stdout);
  });

  test('the tools that the real Gemini and Claude Code called are known by canonical names', () => {
    const used = (file: string) =>
      readFileSync(join(import.meta.dirname, '../fixtures/hook', file), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"type":"tool_use"'))
        .map((line) => JSON.parse(line) as Record<string, any>);
    const gemini = used('gemini.hook-deny.ndjson').map((one) =>
      toolOf('gemini', { tool_name: one['tool_name'], tool_input: one['parameters'] }).names.at(-1),
    );
    expect(gemini).toEqual(['Write', 'Read', 'Edit', 'ping', 'Bash']);
    const claude = used('claude.hook-deny.ndjson').map((one) => {
      const { name, input } = one['message'].content[0];
      return toolOf('claude', { tool_name: name, tool_input: input }).names.at(-1);
    });
    expect(claude).toEqual(['Write', 'Read', 'Edit', 'ToolSearch', 'ping', 'Bash']);
  });

  test.each([
    [
      'claude',
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'DENIED-BY-HOOK',
        },
      },
    ],
    [
      'codex',
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'DENIED-BY-HOOK',
        },
      },
    ],
    [
      'qwen',
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'DENIED-BY-HOOK',
        },
      },
    ],
    ['gemini', { decision: 'deny', reason: 'DENIED-BY-HOOK' }],
    ['copilot', { permissionDecision: 'deny', permissionDecisionReason: 'DENIED-BY-HOOK' }],
    ['cursor', { permission: 'deny', user_message: 'DENIED-BY-HOOK', agent_message: 'DENIED-BY-HOOK' }],
  ])('%s is denied in its own shape', (client, shape) => {
    expect(JSON.parse(hookOf(client).write(deny))).toEqual(shape);
  });

  test.each([
    [
      'claude',
      { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'T' } },
      { decision: 'block', reason: 'R' },
    ],
    [
      'gemini',
      { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'T' } },
      { decision: 'deny', reason: 'R' },
    ],
    ['copilot', { additionalContext: 'T' }, { decision: 'block', reason: 'R' }],
    ['cursor', { additional_context: 'T' }, { followup_message: 'R' }],
  ])('%s gets context and reasons to go on in its own shape', (client, context, block) => {
    const { write } = hookOf(client);
    expect(JSON.parse(write({ kind: 'context', text: 'T' }))).toEqual(context);
    expect(JSON.parse(write({ kind: 'block', reason: 'R' }))).toEqual(block);
  });

  test('no opinion is no decision', () => {
    for (const { id, hook } of hookedAgents) expect(hook.write({ kind: 'none' }), id).toBe(id === 'cursor' ? '{}' : '');
  });

  test('only a client that asks can ask', () => {
    const asks = hookedAgents.filter((one) => one.hook.read(question(one.id, 'x') as Record<string, unknown>).canAsk);
    expect(asks.map((one) => one.id)).toEqual(['claude']);
    expect(hookOf('claude').read({ permission_mode: 'bypassPermissions' }).canAsk).toBe(false);
    expect(hookOf('cursor').read({ hook_event_name: 'beforeShellExecution' }).canAsk).toBe(true);
  });

  test('whatever a client sends is read without a crash', () => {
    for (const { hook } of hookedAgents)
      fc.assert(
        fc.property(
          fc.dictionary(fc.string(), fc.jsonValue()),
          (raw) => void hook.read(raw as Record<string, unknown>),
        ),
        {
          numRuns: 200,
        },
      );
  });
});

describe('files of Sekisho', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-hook-')));
  mkdirSync(join(root, '.sekisho', 'processes'), { recursive: true });
  mkdirSync(join(root, 'src'));
  symlinkSync(join(root, '.sekisho'), join(root, 'innocent'));
  afterAll(() => rmSync(root, { recursive: true }));
  const place = { home: join(root, '.sekisho'), state: join(root, 'data/sekisho/state'), cwd: root };
  const touches = (client: string, name: string, input: object) =>
    touchedFile(toolOf(client, question(client, name, input)), place) !== undefined;

  test.each([
    ['claude', 'Write', { file_path: join(root, '.sekisho/config.yaml'), content: '' }],
    ['claude', 'Edit', { file_path: '.sekisho/processes/a.yaml' }],
    ['claude', 'Write', { file_path: 'src/../.sekisho/new/deep.yaml' }],
    ['claude', 'Write', { file_path: 'innocent/config.yaml' }],
    ['claude', 'Write', { file_path: '.SEKISHO/config.yaml' }],
    ['claude', 'NotebookEdit', { notebook_path: '.sekisho/x.ipynb' }],
    ['claude', 'mcp__filesystem__write_file', { path: join(root, '.sekisho/x') }],
    ['claude', 'mcp__filesystem__move_file', { source: 'a', destination: '.sekisho/x' }],
    [
      'codex',
      'apply_patch',
      { command: '*** Begin Patch\n*** Update File: .sekisho/config.yaml\n@@\n-a\n+b\n*** End Patch' },
    ],
    ['codex', 'apply_patch', { input: '*** Begin Patch\n*** Update File: a\n*** Move to: .sekisho/a\n*** End Patch' }],
    ['gemini', 'write_file', { file_path: '.sekisho/x', content: '' }],
    ['copilot', 'create', { path: '.sekisho/x' }],
    ['cursor', 'Delete', { path: '.sekisho/config.yaml' }],
    ['claude', 'Bash', { command: 'echo x > .sekisho/config.yaml' }],
    ['claude', 'Bash', { command: 'rm -rf .seki"sho"' }],
    ['claude', 'Bash', { command: 'rm -rf .sek*' }],
    ['claude', 'Bash', { command: 'rm -rf .{sekisho,x}' }],
    ['claude', 'Bash', { command: 'cat a | tee .sekisho/config.yaml' }],
    ['claude', 'Bash', { command: 'cd .sekisho && rm config.yaml' }],
    ['claude', 'Bash', { command: 'cat .sekisho/a; sed -i s/a/b/ .sekisho/a' }],
    ['claude', 'Bash', { command: 'cat $(rm .sekisho/a)' }],
    ['claude', 'Bash', { command: 'find .sekisho -name "*.yaml" -delete' }],
    ['claude', 'Bash', { command: 'find .sekisho -name config.yaml -delet$@e' }],
    ['claude', 'Bash', { command: 'rm -rf .seki$@sho' }],
    ['claude', 'Bash', { command: 'rm -rf .${x}sekisho' }],
    ['claude', 'Bash', { command: 'rm -rf .{x,sekisho}' }],
    ['claude', 'Bash', { command: 'rm -rf {.,x}sekisho' }],
    ['claude', 'Bash', { command: 'rm -rf ${x:-.}sekisho' }],
    ['codex', 'Bash', { command: ['bash', '-lc', 'cp x .sekisho/'] }],
    ['codex', 'exec_command', { cmd: 'touch x', workdir: '.sekisho' }],
    ['gemini', 'run_shell_command', { command: 'mv .sekisho /tmp' }],
  ])('%s may not change them by %s %j', (client, name, input) => {
    expect(touches(client, name, input)).toBe(true);
  });

  test.each([
    ['claude', 'Write', { file_path: 'src/a.ts', content: 'see .sekisho/config.yaml' }],
    ['claude', 'Read', { file_path: '.sekisho/config.yaml' }],
    ['claude', 'Grep', { pattern: 'x', path: '.sekisho' }],
    ['claude', 'mcp__filesystem__read_file', { path: '.sekisho/config.yaml' }],
    ['claude', 'mcp__sekisho__state_gate_emit_event', { artifact_paths: ['.sekisho/x'] }],
    ['claude', 'Bash', { command: 'cat .sekisho/config.yaml' }],
    ['claude', 'Bash', { command: 'ls -la .sekisho 2>/dev/null | head -5' }],
    ['claude', 'Bash', { command: 'git status .sekisho' }],
    ['claude', 'Bash', { command: "sed -i 's/.*foo//' src/a.ts" }],
    ['claude', 'Bash', { command: 'rm -rf dist && echo done > ${HOME}/x' }],
    ['codex', 'Bash', { command: ['bash', '-lc', 'cat .sekisho/config.yaml'] }],
    ['codex', 'apply_patch', { command: '*** Begin Patch\n*** Add File: a.md\n+.sekisho/\n*** End Patch' }],
    ['claude', 'Bash', { command: 'sekisho gate get-state' }],
    ['claude', 'Bash', { command: 'rm -rf ${HOME}/src/sekisho/dist' }],
  ])('%s may use %s %j', (client, name, input) => {
    expect(touches(client, name, input)).toBe(false);
  });

  symlinkSync(join(root, '.sekisho/human.token'), join(root, 'notes.txt'));
  writeFileSync(join(root, '.sekisho/human.token'), 'secret');
  const secret = (client: string, name: string, input: object, at = place) =>
    secretFile(toolOf(client, question(client, name, input)), at) !== undefined;

  test.each([
    ['claude', 'Read', { file_path: join(root, '.sekisho/human.token') }],
    ['claude', 'Read', { file_path: '.SEKISHO/human.token' }],
    ['claude', 'Read', { file_path: 'innocent/human.token' }],
    ['claude', 'Read', { file_path: 'notes.txt' }],
    ['claude', 'Read', { file_path: '.sekisho/daemon.json' }],
    ['claude', 'Read', { file_path: '.sekisho/sekisho.db-wal' }],
    ['claude', 'Grep', { pattern: '.', path: '.sekisho/human.token' }],
    ['claude', 'Grep', { pattern: '.', path: '.sekisho' }],
    ['claude', 'Grep', { pattern: '.', path: '.sekisho', glob: 'human.*' }],
    ['claude', 'Grep', { pattern: '.', glob: '**/*.token' }],
    ['claude', 'Grep', { pattern: '.', glob: '.sekisho/*' }],
    ['claude', 'Glob', { pattern: '.sekisho/*.token' }],
    ['claude', 'Glob', { pattern: '*.token', path: '.sekisho' }],
    ['claude', 'WebFetch', { url: `file://${join(root, '.sekisho/human.token')}` }],
    ['claude', 'mcp__filesystem__read_file', { path: '.sekisho/human.token' }],
    ['claude', 'mcp__sekisho__state_gate_emit_event', { artifact_paths: ['.sekisho/human.token'] }],
    ['gemini', 'read_file', { file_path: '.sekisho/human.token' }],
    ['gemini', 'read_many_files', { include: ['.sekisho/*'] }],
    ['gemini', 'read_many_files', { paths: ['.sekisho'] }],
    ['copilot', 'view', { path: '.sekisho/human.token' }],
    ['cursor', 'Read', { path: '.sekisho/human.token' }],
    ['claude', 'Bash', { command: 'cat .sekisho/human.token' }],
    ['claude', 'Bash', { command: 'cat .sekisho/"human".tok\\en' }],
    ['claude', 'Bash', { command: 'cat .sekisho/human.toke?' }],
    ['claude', 'Bash', { command: 'head .sekisho/*' }],
    ['claude', 'Bash', { command: 'cat .sekisho/{human,x}.token' }],
    ['claude', 'Bash', { command: 'cat .sekisho/{human.token,x}' }],
    ['claude', 'Bash', { command: 'cd .sekisho && cat human.token' }],
    ['claude', 'Bash', { command: 'cd .sekisho && cat h*' }],
    ['claude', 'Bash', { command: 'cat innocent/human.token' }],
    ['claude', 'Bash', { command: 'cp innocent/human.token x' }],
    ['claude', 'Bash', { command: 'grep -r . .sekisho' }],
    ['claude', 'Bash', { command: 'rg . .sekisho/' }],
    ['claude', 'Bash', { command: 'cat ~/.local/share/sekisho/state/human.token' }],
    ['claude', 'Bash', { command: 'strings $XDG_DATA_HOME/sekisho/state/stores/app/sekisho.db' }],
    ['codex', 'exec_command', { cmd: 'cat human.token', workdir: '.sekisho' }],
  ])('%s may not read a secret by %s %j', (client, name, input) => {
    expect(secret(client, name, input)).toBe(true);
  });

  test.each([
    ['claude', 'Read', { file_path: '.sekisho/config.yaml' }],
    ['claude', 'Read', { file_path: 'src/design.token' }],
    ['claude', 'Read', { file_path: 'data/app.db' }],
    ['claude', 'Grep', { pattern: 'human.token', path: 'src' }],
    ['claude', 'Grep', { pattern: 'x', path: '.sekisho/processes' }],
    ['claude', 'Grep', { pattern: 'x', path: '.sekisho', glob: '*.yaml' }],
    ['claude', 'Grep', { pattern: 'x' }],
    ['claude', 'Glob', { pattern: '.sekisho/**' }],
    ['claude', 'Glob', { pattern: '**/*.ts' }],
    ['claude', 'Bash', { command: 'cat .sekisho/config.yaml' }],
    ['claude', 'Bash', { command: 'cat .sekisho/processes/*.yaml' }],
    ['claude', 'Bash', { command: 'ls -la .sekisho' }],
    ['claude', 'Bash', { command: 'grep -rn plan .sekisho/processes' }],
    ['claude', 'Bash', { command: 'grep -rn "a.*" src && cat data/app.db' }],
    ['claude', 'Bash', { command: 'sqlite3 sekisho/test.db' }],
  ])('%s may read by %s %j', (client, name, input) => {
    expect(secret(client, name, input)).toBe(false);
  });

  test('the state of the user keeps its secrets too, and nobody changes it', () => {
    const state = join(root, 'src');
    const at = { ...place, state };
    for (const input of [{ file_path: 'src/human.token' }, { file_path: join(state, 'daemon.json') }])
      expect(secret('claude', 'Read', input, at)).toBe(true);
    expect(secret('claude', 'Bash', { command: 'cat src/human.token' }, at)).toBe(true);
    const write = toolOf('claude', question('claude', 'Write', { file_path: 'src/roots/app.json' }));
    expect(touchedFile(write, at)).toBeDefined();
    expect(touches('claude', 'Bash', { command: 'rm -rf ~/.local/share/sekisho/state' })).toBe(true);
  });

  test('only command lines made of readers are readers', () => {
    for (const line of ['cat a', 'ls | wc -l', 'grep x y && head z', 'git diff a 2>&1', 'tail -n 3 a 2>/dev/null'])
      expect(onlyReads(line), line).toBe(true);
    for (const line of [
      '',
      'cat a > b',
      'cat a >> b',
      'cat `x`',
      'FOO=1 cat a',
      'cat() { rm a; }; cat',
      'xargs rm',
      'git commit',
      'cat <(x)',
      'cat $x',
    ])
      expect(onlyReads(line), line).toBe(false);
  });
});

describe('where a hook finds its project', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-place-')));
  afterAll(() => rmSync(top, { recursive: true }));
  const folder = (name: string) => {
    mkdirSync(join(top, name, '.sekisho'), { recursive: true });
    return join(top, name);
  };
  const [main, other] = [folder('main'), folder('other')];
  const rootFor = async (cwd: string | undefined, env: Record<string, string> = {}, at = '/') => {
    const around = {
      env: { XDG_DATA_HOME: top, ...env },
      cwd: at,
      terminal: false,
      clientVariables: projectFolders,
    };
    return (await loadHookConfig({}, around, cwd)).config.project.root;
  };

  test('the client’s own word comes first, then the hook’s folder, then the process’s', async () => {
    for (const name of ['CLAUDE_PROJECT_DIR', 'CURSOR_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'QWEN_PROJECT_DIR'])
      expect(await rootFor(other, { [name]: main }), name).toBe(main);
    expect(await rootFor(other, {}, main)).toBe(other);
    expect(await rootFor(undefined, {}, main)).toBe(main);
    expect(await rootFor(main, { CLAUDE_PROJECT_DIR: main, SEKISHO_PROJECT: other })).toBe(other);
  });
});

describe('who is calling', () => {
  const config = { role: undefined, environment: {}, terminal: false, user: 'me' };
  const person = { role: 'human', identity: 'os:me', person: true };
  const actor = (given: Partial<Who['config']>, call: Call, token?: Principal) =>
    actorsOf({
      config: { ...config, ...given },
      agents: agentMarks,
      owner: async () => token,
      agentRoles: async () => new Set(['tester']),
    })(call);
  const refused = expect.objectContaining({ code: 'FORBIDDEN' }) as unknown;

  test('the reserved role is for code inside alone', async () => {
    expect((await actor({}, { as: 'system' })).role).toBe('system');
    await expect(actor({ role: 'system' }, {})).rejects.toEqual(refused);
    await expect(actor({ role: 'runner', terminal: true }, {})).rejects.toEqual(refused);
  });

  test('a person’s token does not make a person of a marked environment', async () => {
    expect(await actor({}, {}, person)).toEqual({ role: 'human', id: 'os:me', verified: true, person: true });
    const environment = { CLAUDECODE: '1' };
    expect(await actor({ environment }, {}, person)).toMatchObject({ role: 'agent', person: false });
    await expect(actor({ environment, role: 'human' }, {}, person)).rejects.toEqual(refused);
    await expect(actor({ environment, role: 'human', terminal: true }, {})).rejects.toEqual(refused);
  });

  test('a role needs proof unless a process leaves it to agents', async () => {
    await expect(actor({ role: 'lead' }, {})).rejects.toEqual(refused);
    expect(await actor({ role: 'tester' }, {})).toMatchObject({ role: 'tester', person: false });
    expect(await actor({ role: 'lead', terminal: true }, {})).toMatchObject({ role: 'lead', person: true });
    await expect(actor({ role: 'lead', terminal: true }, { agentOnly: true }, person)).rejects.toEqual(refused);
    expect(await actor({ terminal: true }, { agentOnly: true }, person)).toMatchObject({
      role: 'agent',
      person: false,
    });
  });
});

describe('the program of a command guard', () => {
  const check = (script: string, more: Partial<Look> = {}) => {
    const look = {
      evidence: { artifacts: [] },
      deciding: true,
      say: (sentence: Sentence) => sentence('en'),
      signal: new AbortController().signal,
      tree: tmpdir(),
      confine: (start: Start) => Promise.resolve(bareLaunch(start)),
      env: { PATH: '/usr/bin:/bin', KEPT: 'yes' },
      trusted: () => Promise.resolve(true),
      keep: () => '',
      ...more,
    } as unknown as Look;
    const spec = { type: 'command', command: [process.execPath, '-e', script], timeout_ms: 10_000, exit_code: 0 };
    return command.check(command.parameters.parse(spec), look);
  };

  test('has the environment that it is given and the mark of an agent, and its last words are kept', async () => {
    const { reason } = await check(
      'process.stdout.write(JSON.stringify(process.env)); process.on("exit", () => require("fs").writeSync(1, " last")); process.exitCode = 1',
    );
    expect(reason.endsWith(' last')).toBe(true);
    expect(JSON.parse(reason.slice(reason.lastIndexOf('\n{') + 1, -5))).toEqual({
      PATH: '/usr/bin:/bin',
      KEPT: 'yes',
      SEKISHO_AGENT_ID: 'guard',
    });
  });

  test('does not go on for a call that was already given up', async () => {
    const before = performance.now();
    const verdict = await check('setTimeout(() => {}, 9000)', { signal: AbortSignal.abort() });
    expect(verdict).toMatchObject({ satisfied: false });
    expect(performance.now() - before).toBeLessThan(5000);
  });

  test('ends although a child of its own left the group and holds the output', async () => {
    const verdict = await check(
      'require("child_process").spawn("sleep", ["8"], { detached: true, stdio: "inherit" }).unref()',
    );
    expect(verdict.satisfied).toBe(true);
  }, 6000);
});
