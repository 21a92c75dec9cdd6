import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agents, findAgentCli } from '../../src/fleet/agents.ts';
import { type Tally, addFact, emptyTally } from '../../src/fleet/host/stream-tally.ts';

/** What a real CLI printed (`cursor.constructed` is made from its documentation). */
function tallyOf(cli: string, transcript: string, more: readonly string[] = []): Tally {
  const path = join(import.meta.dirname, '../fixtures/transcripts', `${transcript}.ndjson`);
  const reader = findAgentCli(cli).reader();
  const lines = [...readFileSync(path, 'utf8').split('\n'), ...more];
  return lines.flatMap((line) => reader.read(line)).reduce(addFact, emptyTally);
}

const folder = join(import.meta.dirname, '../fixtures/transcripts');
const transcripts = readdirSync(folder).flatMap((name) => /^(.*)\.ndjson$/.exec(name)?.[1] ?? []);
const tallies = JSON.parse(readFileSync(join(folder, 'tallies.json'), 'utf8')) as Readonly<Record<string, unknown>>;

test.each(transcripts)('%s reads as it always did', (name) => {
  const cli = agents.find((one) => name.startsWith(one.id))?.id ?? '';
  expect(JSON.parse(JSON.stringify(tallyOf(cli, name)))).toEqual(tallies[name]);
});

const project = '/home/dev/project';
const nobody = {
  model: undefined,
  permissions: 'full',
  prompt: '',
  systemPrompt: undefined,
  workingDirectory: project,
  folder: project,
  command: undefined,
  server: { command: 'sekisho', args: [], env: {} },
  envFile: '',
  confinement: undefined,
} as const;

describe('a run that writes, reads, edits, calls MCP and uses a shell', () => {
  test.each([
    ['claude', 'claude', 6, 700, 140],
    ['codex', 'codex', 5, 700, 140],
    ['codex', 'codex-gpt-6-sol', 5, 600, 120],
    ['gemini', 'gemini', 5, 600, 120],
    ['opencode', 'opencode', 5, 600, 120],
  ])('%s: %s', (cli, transcript, toolCalls, inputTokens, outputTokens) => {
    const tally = tallyOf(cli, transcript);
    expect(tally).toMatchObject({
      toolCalls,
      // The file that the shell made is in no stream.
      created: [`${project}/hello.txt`],
      edited: [`${project}/existing.txt`],
      answer: 'FINAL: wrote hello.txt and edited existing.txt.',
      error: undefined,
      denials: [],
      usage: { inputTokens, outputTokens },
    });
    expect(tally.session).toBeTruthy();
  });

  test('cursor, as documented', () => {
    expect(tallyOf('cursor', 'cursor.constructed')).toMatchObject({
      session: '00000000-0000-4000-8000-000000000001',
      model: 'Auto',
      toolCalls: 3,
      created: ['/w/hello.txt'],
      answer: 'Reading. Done.',
      usage: undefined,
    });
  });
});

test('the model and cost are read where the stream has them', () => {
  expect(tallyOf('claude', 'claude')).toMatchObject({ model: 'claude-sonnet-4-5', usage: { costUsd: 0.0042 } });
  expect(tallyOf('gemini', 'gemini')).toMatchObject({ model: 'gemini-2.5-pro' });
  expect(tallyOf('opencode', 'opencode').usage).toMatchObject({ costUsd: 0.00084 });
  expect(tallyOf('codex', 'codex')).toMatchObject({ model: undefined, ended: true });
});

describe('an HTTP 400', () => {
  test.each([
    ['claude', 'claude.error', 'API Error: 400 MOCK-ERROR bad request'],
    ['codex', 'codex.error', 'MOCK-ERROR bad request'],
    ['codex', 'codex-gpt-6-sol.error', 'MOCK-ERROR bad request'],
    ['gemini', 'gemini.error', 'MOCK-ERROR bad request'],
    ['opencode', 'opencode.error', 'MOCK-ERROR bad request'],
  ])('%s: %s is an error, whatever its subtype says', (cli, transcript, message) => {
    expect(tallyOf(cli, transcript).error).toContain(message);
  });
});

test('a retried request that then succeeds is no error', () => {
  expect(tallyOf('claude', 'claude.api-retry')).toMatchObject({ error: undefined, answer: 'FINAL: recovered.' });
});

describe('a denied call changes no file', () => {
  test('claude lists what was denied', () => {
    const tally = tallyOf('claude', 'claude.hook-deny');
    expect(tally.denials).toEqual(['Write', 'mcp__probe__ping']);
    expect(tally.created).toEqual([]);
  });
  test('gemini says policy_violation', () => {
    const tally = tallyOf('gemini', 'gemini.hook-deny');
    expect(tally.denials).toEqual(['write_file', 'read_file', 'replace', 'mcp_probe_ping', 'run_shell_command']);
    expect([...tally.created, ...tally.edited]).toEqual([]);
  });
  test('opencode shows an error state', () => {
    expect([
      ...tallyOf('opencode', 'opencode.hook-deny').created,
      ...tallyOf('opencode', 'opencode.hook-deny').edited,
    ]).toEqual([]);
  });
  test('opencode’s error begins with our word where our plugin refused', () => {
    const state = { status: 'error', input: { filePath: 'x' }, error: 'Denied by Sekisho: not in this state' };
    const more = [JSON.stringify({ type: 'tool_use', sessionID: 's', part: { tool: 'write', state } })];
    expect(tallyOf('opencode', 'opencode.hook-deny', more).denials).toEqual(['write']);
    const plugin = JSON.stringify(findAgentCli('opencode').invoke({ ...nobody, hook: () => 'ask' }).files);
    expect(plugin).toContain('Denied by Sekisho: ');
  });
  test('codex tells on stderr alone', () => {
    const reader = findAgentCli('codex').reader();
    const log = '2026-11-18T02:29:51.954723Z ERROR codex_core::tools::router: error=';
    const lines = [
      `${log}Command blocked by PreToolUse hook: Not in this state.. Command: apply_patch <<'END'`,
      '*** Begin Patch',
      `${log}Tool call blocked by PreToolUse hook: Not in this state.. Tool: apply_patch`,
      `${log}exec_command failed`,
    ];
    const tally = lines.flatMap((line) => reader.readError?.(line) ?? []).reduce(addFact, emptyTally);
    expect(tally.denials).toEqual(['shell', 'apply_patch']);
  });
  test('codex shows nothing at all, and its warnings are no errors', () => {
    const tally = tallyOf('codex', 'codex.hook-deny');
    expect(tally).toMatchObject({ created: [], error: undefined, ended: true, toolCalls: 2 });
  });
});

describe('an MCP call that timed out does not end the run', () => {
  test.each([
    ['codex', 'codex.mcp-timeout'],
    ['gemini', 'gemini.mcp-timeout'],
    ['opencode', 'opencode.mcp-timeout'],
  ])('%s', (cli, transcript) => {
    expect(tallyOf(cli, transcript)).toMatchObject({ toolCalls: 1, error: undefined, answer: 'FINAL: after slow.' });
  });
});

describe('MCP calls', () => {
  test.each([
    ['claude', 'claude.mcp', 3], // The search for deferred tools counts.
    ['codex', 'codex.mcp', 2],
    ['codex', 'codex-gpt-6-sol.mcp', 2],
    ['gemini', 'gemini.mcp', 2],
    ['opencode', 'opencode.mcp', 2],
  ])('%s: %s', (cli, transcript, least) => {
    const tally = tallyOf(cli, transcript);
    expect(tally.toolCalls).toBeGreaterThanOrEqual(least);
    expect(tally.answer).toBe('FINAL: both tools answered.');
  });
  test.each([
    ['copilot', 1, undefined],
    ['qwen', 2, { inputTokens: 300, outputTokens: 60 }], // The search for the deferred tool counts.
  ])('%s reports back', (cli, toolCalls, usage) => {
    const tally = tallyOf(cli, `${cli}.mcp`);
    expect(tally).toMatchObject({ toolCalls, answer: 'FINAL answer.', error: undefined });
    expect(tally.session).toBeTruthy();
    if (usage !== undefined) expect(tally.usage).toMatchObject(usage);
  });
  test('a long call is only progress', () => {
    expect(tallyOf('claude', 'claude.tool-progress').toolCalls).toBe(2);
  });
});

test('copilot tells its session at the end, and edits with their kind', () => {
  const reader = findAgentCli('copilot').reader();
  const lines = [
    { type: 'session.tools_updated', data: { model: 'gpt-5' } },
    { type: 'tool.execution_start', data: { toolCallId: 'c1', toolName: 'create' } },
    { type: 'tool.execution_start', data: { toolCallId: 'c2', toolName: 'bash' } },
    {
      type: 'tool.execution_complete',
      data: {
        success: true,
        fileEdits: [
          { path: '/w/a', kind: 'create' },
          { path: '/w/b', kind: 'update' },
        ],
      },
    },
    { type: 'tool.execution_complete', data: { toolCallId: 'c2', success: false, error: { code: 'denied' } } },
    { type: 'assistant.message', data: { content: 'Done.', model: 'gpt-5' } },
    { type: 'assistant.message', data: { content: '' } },
    { type: 'result', sessionId: 's-1', exitCode: 0, usage: { sessionDurationMs: 99 } },
  ];
  const tally = lines.flatMap((line) => reader.read(JSON.stringify(line))).reduce(addFact, emptyTally);
  expect(tally).toMatchObject({
    model: 'gpt-5',
    session: 's-1',
    toolCalls: 2,
    created: ['/w/a'],
    edited: ['/w/b'],
    denials: ['bash'],
    answer: 'Done.',
  });
});

test('qwen 0.24 puts its error beside the result', () => {
  const line = { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message: 'no quota' } };
  expect(findAgentCli('qwen').reader().read(JSON.stringify(line))).toContainEqual({
    kind: 'error',
    message: 'no quota',
  });
});

test('a torn or foreign line says nothing', () => {
  const reader = findAgentCli('claude').reader();
  for (const line of ['{"type":"assist', '', '{}', 'null', '{"type":"assistant","message":null}', '[1]'])
    expect(reader.read(line)).toEqual([]);
});
