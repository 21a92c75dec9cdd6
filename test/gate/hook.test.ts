import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Who, actorsOf } from '../../src/app/actor.ts';
import type { OperationCall } from '../../src/kernel/application.ts';
import type { Principal } from '../../src/kernel/principal.ts';
import { loadHookConfig } from '../../src/config/hook.ts';
import { type ConfinedStart, bareLaunch } from '../../src/sandbox/port.ts';
import type { Sentence } from '../../src/kernel/text/text.ts';
import type { ToolPermissions } from '../../src/gate/definition/definition.ts';
import type { HookAnswer } from '../../src/fleet/agent-hook.ts';
import { command } from '../../src/gate/guard/command.ts';
import type { GuardAccess } from '../../src/gate/guard.ts';
import { agentMarks, findAskingAgent, findHookedAgent, hookedAgents, projectFolders } from '../../src/fleet/agents.ts';
import { decideTool, withoutAsking } from '../../src/gate/definition/permissions.ts';
import fc from '../setup/property.ts';

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
  if (id === 'opencode') return { sessionID: 's', cwd: '/p', tool: name, args: input };
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
    ['vscode', 'create_file', 'Write'],
    ['vscode', 'replace_string_in_file', 'Edit'],
    ['vscode', 'multi_replace_string_in_file', 'Edit'],
    ['vscode', 'insert_edit_into_file', 'Edit'],
    ['vscode', 'apply_patch', 'Write'],
    ['vscode', 'edit_notebook_file', 'NotebookEdit'],
    ['vscode', 'run_in_terminal', 'Bash'],
    ['vscode', 'send_to_terminal', 'Bash'],
    ['vscode', 'create_and_run_task', 'Bash'],
    ['vscode', 'read_file', 'Read'],
    ['vscode', 'grep_search', 'Grep'],
    ['vscode', 'fetch_webpage', 'WebFetch'],
    ['vscode', 'runSubagent', 'Task'],
    ['vscode', 'bash', 'Bash'],
    ['claude', 'str_replace', 'Edit'],
    ['opencode', 'bash', 'Bash'],
    ['opencode', 'patch', 'Edit'],
    ['opencode', 'write', 'Write'],
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
    ['vscode', 'mcp_probe_state_gate_get_state'],
    ['opencode', 'probe_state_gate_get_state'],
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
    ['vscode', 'mcp_sekisho_state_gate_get_state'],
    ['vscode', 'mcp_sekisho_report_completed'],
    ['vscode', 'tool_search'],
    ['opencode', 'sekisho_state_gate_get_state'],
    ['opencode', 'sekisho_report_completed'],
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
    ['vscode', 'mcp_evil_report_x', 'report_x'],
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
    [
      'vscode',
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'DENIED-BY-HOOK',
        },
      },
    ],
    ['opencode', { deny: 'DENIED-BY-HOOK' }],
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
    [
      'vscode',
      { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'T' } },
      { hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason: 'R' } },
    ],
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
    expect(asks.map((one) => one.id)).toEqual(['claude', 'vscode']);
    expect(hookOf('claude').read({ permission_mode: 'bypassPermissions' }).canAsk).toBe(false);
    expect(hookOf('cursor').read({ hook_event_name: 'beforeShellExecution' }).canAsk).toBe(true);
  });

  test.each([
    ['claude', { tool_name: 'create_file' }, 'vscode'],
    ['claude', { tool_name: 'mcp_db_drop' }, 'vscode'],
    ['claude', { tool_name: 'apply_patch', tool_use_id: 'toolu_1__vscode-1790' }, 'vscode'],
    ['claude', { hookEventName: 'Stop', sessionId: 's' }, 'vscode'],
    [
      'claude',
      { transcript_path: '/h/.config/Code/User/workspaceStorage/1/GitHub.copilot-chat/transcripts/s.jsonl' },
      'vscode',
    ],
    ['copilot', { tool_name: 'run_in_terminal' }, 'vscode'],
    // What Claude Code, and Copilot by the same file, ask is theirs.
    [
      'claude',
      { tool_name: 'Write', tool_use_id: 'toolu_1', transcript_path: '/h/.claude/projects/p/s.jsonl' },
      'claude',
    ],
    ['claude', { tool_name: 'mcp__db__drop' }, 'claude'],
    ['claude', { tool_name: 'apply_patch', timestamp: '2026-10-01T10:30:00.000Z' }, 'claude'],
    ['copilot', { toolName: 'create', sessionId: 's' }, 'copilot'],
    // VS Code reads no file of these, and some of their tools have the same names.
    ['gemini', { tool_name: 'read_file' }, 'gemini'],
    ['codex', { tool_name: 'apply_patch', tool_use_id: 'c__vscode-1' }, 'codex'],
  ])('through %s’s file %j is a question of %s', (entry, raw, asker) => {
    const client = findHookedAgent(entry);
    expect(client && findAskingAgent(client, raw).id).toBe(asker);
  });

  test('whatever a client sends is read without a crash', () => {
    for (const { hook } of hookedAgents)
      fc.assert(
        fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (raw) => {
          hook.read(raw);
          hook.sharedFiles?.isOwn(raw);
        }),
        { numRuns: 200 },
      );
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
    const around = { env: { XDG_DATA_HOME: top, ...env }, cwd: at, terminal: false, clientVariables: projectFolders };
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
  const actor = (given: Partial<Who['config']>, call: OperationCall, token?: Principal) =>
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
  const check = (script: string, more: Partial<GuardAccess> = {}) => {
    const look = {
      evidence: { artifacts: [] },
      deciding: true,
      say: (sentence: Sentence) => sentence('en'),
      signal: new AbortController().signal,
      tree: tmpdir(),
      confine: (start: ConfinedStart) => Promise.resolve(bareLaunch(start)),
      env: () => ({ PATH: '/usr/bin:/bin', KEPT: 'yes' }),
      trusted: () => Promise.resolve(true),
      keep: () => '',
      ...more,
    } as unknown as GuardAccess;
    const spec = { type: 'command', command: [process.execPath, '-e', script], timeout_ms: 250_000, exit_code: 0 };
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
    // Left alone it would end well.
    const verdict = await check('setTimeout(() => {}, 9000)', { signal: AbortSignal.abort() });
    expect(verdict).toMatchObject({ satisfied: false });
  });

  test('ends although a child of its own left the group and holds the output', async () => {
    const noted = join(mkdtempSync(join(tmpdir(), 'sekisho-wanderer-')), 'pid');
    onTestFinished(() => rmSync(dirname(noted), { recursive: true }));
    const verdict = await check(
      `const child = require("child_process").spawn("sleep", ["600"], { detached: true, stdio: "inherit" });
       child.unref(); require("fs").writeFileSync(${JSON.stringify(noted)}, String(child.pid))`,
    );
    expect(verdict.satisfied).toBe(true);
    // It is still there, and throws where it is not.
    process.kill(Number(readFileSync(noted, 'utf8')), 'SIGKILL');
  });
});
