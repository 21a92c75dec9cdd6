import { describe, expect, test, vi } from 'vitest';
import type { Launch } from '../../src/fleet/agent-cli.ts';
import { hookEvents } from '../../src/fleet/agent-hook.ts';
import { issueIn } from '../../src/kernel/text/issue.ts';
import { rolesSchema } from '../../src/fleet/settings-schema.ts';
import { agentClients, agentMarks, agents, namesProgram } from '../../src/fleet/agents.ts';
import { withoutMarks } from '../../src/fleet/host/spawn-host.ts';
import { isAgentClient, markIn, rejectsDots } from '../../src/kernel/agent-marks.ts';
import { row } from '../setup/security.ts';

const secret = 'sk_very_secret';
const launch: Launch = {
  model: 'some-model',
  permissions: 'full',
  prompt: 'the whole prompt; $(rm -rf /) `x` "y"',
  systemPrompt: 'the system prompt',
  workingDirectory: '/w',
  folder: '/home/.sekisho/agents/a',
  command: ['node', 'agent.mjs'],
  server: {
    command: '/usr/bin/node',
    args: ['/opt/sekisho', 'mcp'],
    env: { SEKISHO_TOKEN: secret, SEKISHO_DB: 'postgres://u:password@db/x' },
  },
  confinement: undefined,
  envFile: '/home/.sekisho/agents/a/env.json',
  hook: (event) => `/opt/sekisho hook ${event} --client x`,
};

describe.each(agents.map((one) => [one.id, one] as const))('%s', (_id, cli) => {
  const invocation = cli.invoke(launch);

  test('the prompt goes in by stdin and never on the command line', () => {
    expect(invocation.stdin).toContain(launch.prompt);
    expect(invocation.args.join(' ')).not.toContain('the whole prompt');
    expect(invocation.args.join(' ')).not.toContain('the system prompt');
  });

  test('nothing secret stands on the command line, in its environment or in the project', () => {
    const seen = JSON.stringify([invocation.args, invocation.env, invocation.projectFiles]);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain('password');
  });

  test(`${row('hooks.fleet')} it asks before it uses a tool, as one that a person started does`, () => {
    if (cli.hook === undefined) return;
    expect(JSON.stringify(invocation)).toContain('/opt/sekisho hook pre-tool-use');
  });

  test('it is led back to us', () => {
    const all = JSON.stringify(invocation);
    expect(all).toContain('/opt/sekisho');
    expect(all.includes(secret) || all.includes(launch.envFile)).toBe(true);
  });

  test('the model is passed on, or left to the program', () => {
    if (!cli.choosesModel) return;
    expect(invocation.args).toContain('some-model');
    expect(cli.invoke({ ...launch, model: undefined }).args).not.toContain('some-model');
  });

  test('it may do less where only edits are permitted', () => {
    if (!cli.choosesModel) return;
    expect(cli.invoke({ ...launch, permissions: 'edit' }).args).not.toEqual(invocation.args);
  });
});

const call = {
  hook: (event: string) => `sekisho hook ${event} --client x`,
  mcp: { command: '/usr/bin/sekisho', args: ['mcp'] },
  tree: '/p',
  repository: '/p',
  home: (folder: string) => `/home/me/${folder}`,
};

test.each(agents.map((one) => [one.id, one] as const))('%s may do least where it is only to read', (_id, cli) => {
  const [read, edit, full] = (['read', 'edit', 'full'] as const).map((permissions) =>
    JSON.stringify(cli.invoke({ ...launch, permissions })),
  );
  expect(new Set([read, edit, full]).size).toBe(3);
  for (const word of ['yolo', '--force', 'acceptEdits', 'workspace-write', 'bypass-approvals', '--allow-all-tools'])
    expect(read).not.toContain(word);
});

describe.each(agents.map((one) => [one.id, one] as const))('%s can be started:', (id, cli) => {
  test('it has a program, or its role names one', () => {
    expect(cli.program === undefined).toBe(namesProgram(id));
    expect(cli.program).not.toBe('');
  });

  test('it says how to install it', () => {
    expect(cli.install).not.toBe('');
  });
});

describe.each(agentClients.map((one) => [one.id, one] as const))('%s is whole:', (id, cli) => {
  const files = cli.setup?.({ ...call, scope: 'own' }) ?? [];
  const shared = cli.setup?.({ ...call, scope: 'shared' }) ?? [];

  test('it has files that lead it to us, or a role names its program', () => {
    expect(files.length > 0).toBe(!namesProgram(id));
    for (const file of [...files, ...shared]) {
      expect(file.path).toMatch(/^\/(p|home\/me)\/[\w./-]+\.(json|toml|js|gitignore|npmrc)$/);
      expect(file.path.split('/')).not.toContain('..');
      if ('json' in file) expect(JSON.parse(JSON.stringify(file.json))).toEqual(file.json);
    }
    // What is for version control is in the project.
    for (const { path } of shared) expect(path).toMatch(/^\/p\//);
    for (const { path } of [...files, ...shared]) {
      const below = path.replace(/^\/(p|home\/me)\//, '');
      expect(
        cli.settings?.some((one) => below === one || below.startsWith(`${one}/`)),
        path,
      ).toBe(true);
    }
    if (files.length > 0) expect(JSON.stringify(files)).toContain(call.mcp.command);
  });

  test('it asks before every tool, or says that it cannot by having no hook', () => {
    const asked = hookEvents.filter((event) => JSON.stringify(files).includes(call.hook(event)));
    expect(asked.includes('pre-tool-use')).toBe(cli.hook !== undefined);
    expect(new Set(Object.values(cli.hook?.events ?? {}))).toEqual(new Set(asked));
    // What a person must know before hooks run is told in both languages.
    for (const text of [cli.trust, cli.untrusted])
      if (text !== undefined) expect(text).toEqual({ en: expect.any(String), ja: expect.stringMatching(/[ぁ-ん]/) });
    expect(cli.trustFolder === undefined).toBe(cli.untrusted === undefined);
  });
});

describe.each(agentMarks.map((one) => [one.id, one] as const))('%s is told from a person', (id, agent) => {
  const { marks, session } = agent.environment;
  const example = (name: string) => name.replace('*', 'X');

  test('by its variables', () => {
    expect(marks).not.toEqual([]);
    for (const name of marks) expect(markIn(agentMarks, { HOME: '/h', [example(name)]: '1' })).toBe(example(name));
    for (const name of marks) expect(markIn(agentMarks, { [example(name)]: '' })).toBeUndefined();
  });

  test('by the name of its client, unless that may be anything', () => {
    expect(agent.clientName?.test(id)).toBe(id === 'command' ? undefined : true);
  });

  test('and its session does not reach another agent', () => {
    expect(session).not.toEqual([]);
    const env = Object.fromEntries(session.map((name) => [example(name), '1']));
    expect(withoutMarks({ HOME: '/h', ...env })).toEqual({ HOME: '/h' });
  });
});

test('no two have the same name', () => {
  expect(new Set(agentMarks.map((one) => one.id)).size).toBe(agentMarks.length);
});

test('a person, and what a person sets, is no agent', () => {
  const profile = {
    HOME: '/h',
    CODEX_HOME: '/h/.codex',
    CODEX_API_KEY: 'k',
    CODEX_ACCESS_TOKEN: 'k',
    CODEX_CA_CERTIFICATE: '/etc/ca.pem',
    CODEX_VERSION: '0.166.0',
    CODEX_NON_INTERACTIVE: '1',
    CURSOR_API_KEY: 'k',
    CURSOR_TRACE_ID: 't',
    CLAUDE_CONFIG_DIR: '/h/.claude',
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_OAUTH_TOKEN: 'k',
    COPILOT_GITHUB_TOKEN: 'k',
    COPILOT_MODEL: 'm',
    QWEN_API_KEY: 'k',
    QWEN_CODE_API_TIMEOUT_MS: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    OPENCODE_API_KEY: 'k',
    AMP_API_KEY: 'k',
    CLAUDE_CODE_SSE_PORT: '1',
    GEMINI_API_KEY: 'k',
    OPENCODE_CONFIG: 'c',
    TERM_PROGRAM: 'vscode',
    VSCODE_IPC_HOOK_CLI: '/run/x.sock',
    AI_AGENT: 'copilot',
  };
  expect(markIn(agentMarks, profile)).toBeUndefined();
  for (const name of ['mcp-inspector', 'example', 'raw']) expect(isAgentClient(agentMarks, name)).toBe(false);
  // Keys that a person gave an agent CLI reach the next one.
  expect(withoutMarks({ CODEX_API_KEY: 'k', CURSOR_API_KEY: 'k' })).toEqual({
    CODEX_API_KEY: 'k',
    CURSOR_API_KEY: 'k',
  });
});

/** What the shell of each real client was seen to have, in version 2.1.197, 0.166.0, 0.61.0, 0.24.4, 1.0.102 and 1.18.33. */
const shells: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: { CLAUDECODE: '1', CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_CODE_SESSION_ID: 'c8', AI_AGENT: 'claude-code' },
  codex: { CODEX_CI: '1', CODEX_THREAD_ID: '01', CODEX_SESSION_ID: '01', CODEX_TOOL_CALL_ID: 'call_3_0' },
  gemini: { GEMINI_CLI: '1', GEMINI_CLI_NO_RELAUNCH: 'true' },
  qwen: { QWEN_CODE: '1', QWEN_CODE_SESSION_ID: '21', QWEN_CODE_LAUNCHER_PID: '3676' },
  copilot: { COPILOT_AGENT_SESSION_ID: '18', COPILOT_CLI: '1' },
  opencode: { OPENCODE: '1', OPENCODE_PID: '7762', AGENT: '1' },
  // By its source, not seen: 1.121 and later.
  vscode: { COPILOT_AGENT: '1', AI_AGENT: 'github_copilot_vscode_agent', TERM_PROGRAM: 'vscode', GIT_PAGER: 'cat' },
};

test.each(Object.entries(shells))('the shell of %s is known as an agent’s', (id, env) => {
  const own = agentMarks.filter((one) => one.id === id);
  expect(markIn(own, env)).toBeDefined();
  expect(markIn(agentMarks, withoutMarks(env))).toBeUndefined();
});

test('clients that reject dots are known', () => {
  for (const name of ['claude-ai', 'claude.ai', 'Claude Desktop', 'Anthropic/ClaudeAI', 'cursor-vscode'])
    expect(rejectsDots(agentMarks, name), name).toBe(true);
  for (const name of ['claude-code', 'codex-mcp-client', 'gemini-cli-mcp-client', 'opencode'])
    expect(rejectsDots(agentMarks, name), name).toBe(false);
});

test('opencode does not wait for npm, and what an agent runs does not inherit that', async () => {
  const [invocation] = agents.filter((one) => one.id === 'opencode').map((one) => one.invoke(launch));
  expect(invocation?.env).toMatchObject({ npm_config_fetch_retries: '0', npm_config_fetch_timeout: '5000' });
  vi.stubEnv('npm_config_fetch_retries', '0');
  vi.stubEnv('npm_config_fetch_timeout', '5000');
  await import(`data:text/javascript,${encodeURIComponent(invocation?.files['sekisho.js'] ?? '')}`);
  expect(Object.keys(process.env).filter((name) => name.startsWith('npm_config_fetch_'))).toEqual([]);
  vi.unstubAllEnvs();
});

test('opencode’s plugin keeps a tool from running where nobody answers, and fails none that has run', async () => {
  const [plugin] = agents
    .filter((one) => one.id === 'opencode')
    .map((one) => one.invoke({ ...launch, hook: () => 'exit 1' }).files['sekisho.js'] ?? '');
  const url = `data:text/javascript,${encodeURIComponent(plugin ?? '')}`;
  const { Sekisho } = (await import(url)) as {
    Sekisho: (given: object) => Promise<Record<string, (call: object, given: object) => Promise<void>>>;
  };
  const hooks = await Sekisho({ directory: '/tmp' });
  const call = { tool: 'bash', sessionID: 's', callID: 'c' };
  await expect(hooks['tool.execute.before']?.(call, { args: {} })).rejects.toThrow('Sekisho could not be asked');
  await expect(hooks['tool.execute.after']?.(call, {})).resolves.toBeUndefined();
});

test('a role names no application that only a person starts, and says so in both languages', () => {
  const issues = (cli: string) => rolesSchema.safeParse([{ id: 'a', cli }]).error?.issues ?? [];
  const [issue, ...others] = issues('vscode');
  if (issue === undefined) throw new Error('it was accepted');
  expect(others).toEqual([]);
  expect(issueIn('en', issue, [{ id: 'a', cli: 'vscode' }])).toContain('only a person can start');
  expect(issueIn('ja', issue, [{ id: 'a', cli: 'vscode' }])).toContain('起動できるのは人だけ');
  expect(issueIn('ja', issues('none')[0] ?? issue, [{ id: 'a', cli: 'none' }])).toContain('claude');
  expect(issues('claude')).toEqual([]);
});
