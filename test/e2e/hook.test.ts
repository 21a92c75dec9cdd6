import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestAPI, describe, expect, onTestFinished } from 'vitest';
import { row } from '../setup/security.ts';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { atTerminal } from './terminal.ts';
import { type CommandOutcome, type World, inOneWorld, makeWorld } from './world.ts';
import fc from '../setup/property.ts';

interface Asked {
  readonly event?: string;
  readonly client?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

let calls = 0;

/** What a client would send. */
function use(tool: string, input: object = {}, more: object = {}) {
  return {
    session_id: 'session-1',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: `call-${++calls}`,
    ...more,
  };
}

function ask(world: World, body: unknown, asked: Asked = {}): Promise<CommandOutcome> {
  const { event = 'pre-tool-use', client = 'claude', args = [], ...settings } = asked;
  const input =
    typeof body === 'string' ? body : JSON.stringify({ cwd: settings.cwd ?? world.project, ...(body as object) });
  return world.cli(['hook', event, '--client', client, ...args], { ...settings, input });
}

const decision = (outcome: CommandOutcome) =>
  outcome.json['hookSpecificOutput']?.permissionDecision as string | undefined;
const reason = (outcome: CommandOutcome) => String(outcome.json['hookSpecificOutput']?.permissionDecisionReason);

async function createRun(world: World): Promise<string> {
  const { json } = await world.cli(['gate', 'create-run', '--process-id', 'hooked', '--json']);
  return json['run_id'] as string;
}

async function emit(world: World, run: string, event: string, revision: number, ...more: string[]): Promise<void> {
  const { code, stdout } = await world.cli([
    'gate',
    'emit-event',
    `--run-id=${run}`,
    `--event-name=${event}`,
    `--expected-revision=${revision}`,
    `--idempotency-key=key-${event}-${revision}`,
    ...more,
    '--json',
  ]);
  if (code !== 0) throw new Error(stdout);
}

async function receipts(world: World): Promise<Record<string, any>[]> {
  const { json } = await world.cli(['journal', 'list', '--after', '0', '--limit', '1000', '--json']);
  return (json['entries'] as Record<string, any>[])
    .filter((one) => one['kind'] === 'hook.receipt')
    .map((one) => ({ subject: one['subject'], actor: one['actor'], ...one['data'] }));
}

/** A world with an open run in its first state, which restricts. */
function inWorld(title: string, database: 'sqlite' | 'postgres', tests: (test: RunTest) => void) {
  describe(title, () => {
    inOneWorld('stdio', database, (base) => {
      tests(
        base.extend<{ run: string }>({
          run: [
            async ({ world }, use) => {
              copyFileSync(
                join(import.meta.dirname, '../fixtures/processes/hooked.yaml'),
                join(world.project, '.sekisho/processes/hooked.yaml'),
              );
              await use(await createRun(world));
            },
            { auto: true },
          ],
        }),
      );
    });
  });
}

type RunTest = TestAPI<{ world: World; run: string }>;

/** The run’s next state, in which everything is open. */
const build = (world: World, run: string) =>
  emit(world, run, 'submit_plan', 0, '--artifact-paths', world.write('plan.md', 'first, then'));

inWorld('a hook in a restricting state', 'sqlite', (test) => {
  test(requires('gate.hook.deny'), async ({ world, run }) => {
    const denied = await ask(world, use('Bash', { command: 'ls' }));
    expect(denied).toMatchObject({ code: 0, stderr: '' });
    expect(denied.json['hookSpecificOutput']).toMatchObject({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
    });
    for (const part of ['Bash', '"plan"', 'hooked', run, 'submit_plan', 'permitted in: build'])
      expect(reason(denied)).toContain(part);
    expect(reason(denied)).not.toContain('approve');
    expect(decision(await ask(world, use('Edit', { file_path: 'a' })))).toBe('deny');
    expect(decision(await ask(world, use('mcp__db__delete_all')))).toBe('deny');
    const japanese = await ask(world, use('Bash'), { args: ['--lang', 'ja'] });
    expect(reason(japanese)).toContain('許可されていません');
  });

  test('what the process allows is left to the client, which may still ask its user', async ({ world }) => {
    expect(await ask(world, use('Read', { file_path: 'a' }))).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await ask(world, use('WebSearch'))).toMatchObject({ code: 0, stdout: '' });
  });

  test(requires('gate.hook.never-locked-out'), async ({ world }) => {
    for (const tool of ['mcp__sekisho__state_gate_emit_event', 'mcp__sekisho__report_completed', 'ToolSearch'])
      expect((await ask(world, use(tool))).stdout, tool).toBe('');
    expect(decision(await ask(world, use('mcp__x__report_result')))).toBe('deny');
    expect(decision(await ask(world, use('mcp__sekisho__state_gate_list_runs')))).toBe('deny');
  });

  test(requires('gate.hook.ask'), async ({ world }) => {
    expect(decision(await ask(world, use('WebFetch')))).toBe('ask');
    expect(decision(await ask(world, use('WebFetch', {}, { permission_mode: 'bypassPermissions' })))).toBe('deny');
    const codex = await ask(world, use('WebFetch'), { client: 'codex' });
    expect(decision(codex)).toBe('deny');
    expect(reason(codex)).toContain('A person has to be asked');
    expect((await ask(world, use('web_fetch'), { client: 'gemini' })).json).toMatchObject({ decision: 'deny' });
  });

  test(requires('gate.hook.clients'), async ({ world }) => {
    const hook = { hookSpecificOutput: { permissionDecision: 'deny' } };
    for (const [client, body, shape] of [
      ['claude', use('Bash'), hook],
      ['codex', use('exec_command'), hook],
      ['codex', use('apply_patch', { command: '*** Begin Patch' }), undefined],
      ['gemini', use('run_shell_command'), { decision: 'deny' }],
      ['gemini', use('write_file'), undefined],
      ['qwen', use('run_shell_command'), hook],
      ['copilot', { sessionId: 's', toolName: 'bash', toolArgs: '{"command":"ls"}' }, { permissionDecision: 'deny' }],
      ['copilot', { sessionId: 's', toolName: 'create', toolArgs: '{"path":"a"}' }, undefined],
      ['vscode', use('run_in_terminal', { command: 'ls' }), hook],
      ['vscode', use('create_file', { filePath: 'a' }), undefined],
      ['cursor', { hook_event_name: 'beforeShellExecution', command: 'ls' }, { permission: 'deny' }],
      [
        'cursor',
        { hook_event_name: 'preToolUse', tool_name: 'Shell', tool_input: { command: 'ls' } },
        { permission: 'deny' },
      ],
      ['cursor', { hook_event_name: 'preToolUse', tool_name: 'Read', tool_input: { path: 'a' } }, undefined],
    ] as const) {
      const { code, stdout, json } = await ask(world, body, { client });
      expect(code).toBe(0);
      if (shape === undefined) expect(stdout.trim(), client).toBe(client === 'cursor' ? '{}' : '');
      else expect(json, client).toMatchObject(shape);
    }
  });

  test('Copilot, which runs Claude Code’s hooks beside its own, leaves one receipt, and either of them refuses', async ({
    world,
  }) => {
    const at = 1794805655835;
    const copilot = (toolName: string, timestamp = at) =>
      ask(world, { sessionId: 'c', timestamp, toolName, toolArgs: {} }, { client: 'copilot' });
    const asClaude = (tool_name: string) =>
      ask(world, { session_id: 'c', timestamp: new Date(at).toISOString(), tool_name, tool_input: {} });
    const before = (await receipts(world)).length;
    expect((await copilot('create')).stdout).toBe('');
    expect((await asClaude('Write')).stdout).toBe('');
    expect((await receipts(world)).slice(before)).toMatchObject([{ client: 'copilot', decision: 'allow' }]);
    // Whoever could put a receipt there in advance gains nothing.
    expect(decision(await asClaude('Bash'))).toBe('deny');
    await copilot('create', at + 1);
    expect((await receipts(world)).slice(before)).toHaveLength(3);
  });

  test(requires('gate.hook.protected'), async ({ world }) => {
    for (const body of [
      use('Write', { file_path: join(world.project, '.sekisho/config.yaml'), content: 'hook: { fail: open }' }),
      use('Write', { file_path: '.sekisho/processes/hooked.yaml', content: '' }),
      use('Edit', { file_path: '.claude/settings.json', old_string: 'a', new_string: 'b' }),
      use('Write', { file_path: '.claude/plugins/installed_plugins.json', content: '{}' }),
    ]) {
      const denied = await ask(world, body);
      expect(decision(denied)).toBe('deny');
      expect(reason(denied)).toContain('only a person');
    }
    // Also where a variable says that the client keeps them elsewhere; its hooks start through the shim.
    await world.cli(['init', '--client', 'claude']);
    const elsewhere = join(world.project, '../elsewhere');
    const env = { ...world.env, CLAUDE_CONFIG_DIR: elsewhere };
    const asked = (file: string) =>
      spawnSync(join(world.place.data.path, 'app/sekisho'), ['hook', 'pre-tool-use', '--client', 'claude'], {
        input: JSON.stringify(use('Edit', { file_path: file }, { cwd: world.project })),
        env,
        encoding: 'utf8',
      }).stdout;
    expect(asked(join(elsewhere, 'settings.json'))).toContain('only a person');
    expect(asked(join(elsewhere, '.claude.json'))).toContain('only a person');
    expect(asked(join(elsewhere, 'notes.md'))).not.toContain('only a person');
    const fresh = await makeWorld('stdio', 'sqlite');
    onTestFinished(() => fresh.close());
    rmSync(fresh.db);
    expect(decision(await ask(fresh, use('Write', { file_path: '.sekisho/config.yaml' })))).toBe('deny');
    expect((await ask(fresh, use('Bash', { command: 'git commit -m "see .sekisho/config.yaml"' }))).stdout).toBe('');
    expect(existsSync(fresh.db)).toBe(false);
  });

  test('a client that a file of the project and one of the user lead to us asks once; what is refused, both refuse', async ({
    world,
  }) => {
    const twice = async (body: object, event = 'pre-tool-use') => {
      const asked = { sessionId: 's', timestamp: 1_794_956_149_768, cwd: world.project, ...body };
      const first = await ask(world, asked, { client: 'copilot', event });
      return [first.stdout, (await ask(world, asked, { client: 'copilot', event })).stdout];
    };
    const [told, again] = await twice({ source: 'new' }, 'session-start');
    expect(told).toContain('hooked');
    expect(again).toBe('');
    const denied = await twice({ toolName: 'bash', toolArgs: { command: 'ls' } });
    for (const one of denied) expect(one).toContain('"deny"');
    expect(await twice({ toolName: 'view', toolArgs: { path: 'a' } })).toEqual(['', '']);
    // Two tools at the same moment are two questions.
    await twice({ toolName: 'web_search', toolArgs: {} });
    const kept = (await receipts(world)).map((one) => [one['event'], one['tool']]);
    expect(kept).toEqual([
      ['session-start', null],
      ['pre-tool-use', 'bash'],
      ['pre-tool-use', 'bash'],
      ['pre-tool-use', 'view'],
      ['pre-tool-use', 'web_search'],
    ]);
  });

  test(requires('gate.hook.session-start'), async ({ world, run }) => {
    const body = { session_id: 'session-1', hook_event_name: 'SessionStart', source: 'startup' };
    const { json } = await ask(world, body, { event: 'session-start' });
    const text = String(json['hookSpecificOutput'].additionalContext);
    for (const part of [
      'Write a plan about bridges.',
      '"plan"',
      run,
      'submit_plan',
      'Denied tools: Bash',
      'missing: plan',
    ])
      expect(text).toContain(part);
    const compact = await ask(world, { ...body, source: 'compact' }, { event: 'session-start' });
    expect(String(compact.json['hookSpecificOutput'].additionalContext)).toContain('was shortened');
    const cursor = await ask(world, {}, { event: 'session-start', client: 'cursor' });
    expect(cursor.json['additional_context']).toContain('Write a plan');
  });

  test('an agent whose state waits for a person is told the command', async ({ world, run }) => {
    const told = async (...args: string[]) => {
      const body = { session_id: 'session-3', hook_event_name: 'SessionStart', source: 'startup' };
      const { json } = await ask(world, body, { event: 'session-start', args });
      return String(json['hookSpecificOutput'].additionalContext);
    };
    expect(await told()).not.toContain('sekisho approve');
    world.write(
      '.sekisho/processes/asking.yaml',
      `id: asking\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]
events: [{ name: approve, allowed_roles: [reviewer] }, { name: finish }]
transitions: [{ from: a, event: approve, to: a }, { from: a, event: finish, to: b, guard: yes }]
guards: { yes: { type: all, guards: [{ type: approval, role: reviewer }] } }\n`,
    );
    const { json } = await world.cli(['gate', 'create-run', '--process-id', 'asking', '--json']);
    await world.person(['gate', 'use', String(json['run_id']), '--json']);
    expect(await told()).toContain(`Ask them to run: sekisho approve ${json['run_id']}`);
    expect(await told()).toContain('state_gate.get_state with wait_ms: 50000, since_revision: 0');
    expect(await told('--lang', 'ja')).toContain(`sekisho approve ${json['run_id']}`);
    await world.person(['gate', 'use', run, '--json']);
  });

  test(requires('gate.hook.stop'), async ({ world }) => {
    const body = { session_id: 'session-2', hook_event_name: 'Stop', stop_hook_active: false };
    expect((await ask(world, { ...body, stop_hook_active: true }, { event: 'stop' })).stdout).toBe('');
    const first = await ask(world, body, { event: 'stop' });
    expect(first.json).toMatchObject({ decision: 'block' });
    expect(first.json['reason']).toContain('plan');
    expect((await ask(world, body, { event: 'stop' })).stdout).toBe('');
    const gemini = await ask(
      world,
      { session_id: 'session-3', hook_event_name: 'AfterAgent' },
      { event: 'stop', client: 'gemini' },
    );
    expect(gemini.json).toMatchObject({ decision: 'deny' });
  });

  test(requires('gate.hook.receipts'), async ({ world, run }) => {
    const before = (await receipts(world)).length;
    const asked = use('Bash', { command: 'echo secret' });
    await ask(world, asked);
    await ask(world, { ...asked, hook_event_name: 'PostToolUse' }, { event: 'post-tool-use' });
    await ask(world, use('Edit', {}, { hook_event_name: 'PostToolUse' }), { event: 'post-tool-use' });
    const [pre, post, unasked] = (await receipts(world)).slice(before);
    expect(pre).toMatchObject({
      subject: run,
      actor: expect.stringMatching(/^agent:os:.* \(unverified\)$/) as unknown,
      client: 'claude',
      event: 'pre-tool-use',
      tool: 'Bash',
      names: ['Bash'],
      decision: 'deny',
      state: 'plan',
      revision: 0,
      run: run,
    });
    await ask(world, asked, { env: { SEKISHO_AGENT_ID: 'scripted-1-0001' } });
    expect((await receipts(world)).at(-1)).toMatchObject({ actor: 'agent:scripted-1-0001 (unverified)' });
    expect(post).toMatchObject({ event: 'post-tool-use', asked_before: true });
    expect(unasked).toMatchObject({ event: 'post-tool-use', asked_before: false });
    expect(JSON.stringify(await receipts(world))).not.toContain('echo secret');
    // What another client was told says nothing about this one's call, whatever its number.
    const foreign = use('Bash', {}, { hook_event_name: 'PostToolUse' });
    await ask(world, { ...foreign, hook_event_name: 'PreToolUse' }, { client: 'qwen' });
    await ask(world, foreign, { event: 'post-tool-use' });
    expect((await receipts(world)).at(-1)).toMatchObject({ client: 'claude', asked_before: false });
    const state = await world.cli(['gate', 'get-state', '--run-id', run, '--json']);
    expect(state.json['revision']).toBe(0);
    const verified = await world.cli(['journal', 'verify', '--json']);
    expect(verified.code).toBe(0);
  });

  test(requires('gate.hook.light'), async ({ world }) => {
    const report = join(world.project, 'spy.json');
    const spy = join(import.meta.dirname, '../fixtures/hook/spy.cjs');
    const loaded = async (tool: string) => {
      await ask(world, use(tool), { env: { NODE_OPTIONS: `--require=${spy}`, SPY_REPORT: report } });
      return JSON.parse(readFileSync(report, 'utf8')) as { files: Record<string, number>; modules: string[] };
    };
    for (const tool of ['Read', 'Bash']) {
      const { files, modules } = await loaded(tool);
      expect(Object.keys(files)).toContain('hook.cjs');
      // A driver, parser or validator would nearly double it.
      expect(Object.values(files).reduce((sum, size) => sum + size, 0)).toBeLessThan(240_000);
      expect(Object.keys(files).filter((name) => /config-file|engine/.test(name))).toEqual([]);
      expect(modules.filter((name) => ['http', 'net', 'child_process', 'crypto'].includes(name))).toEqual([]);
    }
  });

  test(requires('gate.hook.garbage'), async ({ world }) => {
    const broken = [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '12',
      '{}',
      '{"tool_name":5}',
      '{"tool_name":""}',
      '{"cwd":7,"tool_name":"x"}',
    ];
    const inputs = [...broken, ...fc.sample(fc.oneof(fc.string(), fc.json()), 12)];
    for (const input of inputs)
      for (const client of ['claude', 'gemini']) {
        const { code, stdout } = await ask(world, input, { client });
        expect(code, input).toBe(0);
        if (stdout !== '') expect(JSON.parse(stdout)).toBeTypeOf('object');
      }
    // While a run is open, a question that cannot be read is answered with no.
    expect(decision(await ask(world, '{'))).toBe('deny');
    expect(decision(await ask(world, '{}'))).toBe('deny');
    expect((await world.cli(['hook', 'no-such-event'])).code).toBe(2);
    expect((await world.cli(['hook', 'pre-tool-use', '--client', 'nobody'])).code).toBe(2);
    expect(await world.cli(['hook', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage') as unknown,
    });
  });
});

inWorld('a hook while a run moves on', 'sqlite', (test) => {
  test(requires('gate.hook.opens'), async ({ world, run }) => {
    const call = use('Bash', { command: 'make' });
    expect(decision(await ask(world, call))).toBe('deny');
    await build(world, run);
    expect(await ask(world, call)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect((await receipts(world)).at(-1)).toMatchObject({ decision: 'none', state: 'build', revision: 1 });
  });

  test(requires('gate.hook.which-run'), async ({ world, run }) => {
    await build(world, run);
    const other = await createRun(world);
    const call = use('Bash', { command: 'make' });
    expect((await ask(world, call)).stdout).toBe('');
    // A name says which run is spoken of; it neither binds nor frees.
    for (const named of [other, 'run-nope']) {
      expect((await ask(world, call, { args: ['--run-id', named] })).stdout).toBe('');
      expect((await ask(world, call, { env: { SEKISHO_RUN_ID: named } })).stdout).toBe('');
    }
    const inside = (tool: string[]) => world.cli(tool, { env: { SEKISHO_RUN_ID: 'run-nope', SEKISHO_ROLE: 'agent' } });
    expect((await inside(['gate', 'list-processes', '--json'])).code).toBe(0);
    expect((await world.person(['gate', 'use', other, '--json'])).code).toBe(0);
    const deep = join(world.project, 'src/deep');
    mkdirSync(deep, { recursive: true });
    const env = { SEKISHO_RUN_ID: run };
    expect(decision(await ask(world, call, { cwd: deep, env }))).toBe('deny');
    // The agent's shell went elsewhere, the client still says where the project is.
    const away = { ...call, cwd: '/' };
    expect(decision(await ask(world, away, { cwd: '/', env: { ...env, CLAUDE_PROJECT_DIR: world.project } }))).toBe(
      'deny',
    );
  });

  test(requires('gate.hook.no-opinion'), async ({ world, run }) => {
    await build(world, run);
    await emit(world, run, 'finish', 1);
    const count = (await receipts(world)).length;
    expect(await ask(world, use('Bash', { command: 'make' }))).toMatchObject({ code: 0, stdout: '', stderr: '' });
    // Only how a run is begun.
    expect((await ask(world, { source: 'startup' }, { event: 'session-start' })).stdout).toContain('create_run');
    expect((await ask(world, {}, { event: 'stop' })).stdout).toBe('');
    expect((await receipts(world)).length).toBe(count);
    // Nothing is current any more: a question that cannot be read passes.
    expect(await ask(world, '{')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('not JSON') as unknown,
    });
  });
});

inWorld('a hook that fails', 'sqlite', (test) => {
  test(`${row('hooks.fail')} ${requires('gate.hook.fail')}`, async ({ world }) => {
    const call = use('Read', { file_path: 'a' });
    const torn = join(world.project, 'torn.db');
    writeFileSync(torn, 'this is no database, but it is there');
    const denied = await ask(world, call, { env: { SEKISHO_DB: torn } });
    expect(decision(denied)).toBe('deny');
    expect(reason(denied)).toContain('torn.db');
    expect(denied.stderr).toContain('torn.db');
    expect((await ask(world, call, { env: { SEKISHO_DB: join(world.project, 'none.db') } })).stdout).toBe('');
    expect(existsSync(join(world.project, 'none.db'))).toBe(false);
    expect((await ask(world, call, { env: { SEKISHO_DB: torn, SEKISHO_HOOK_FAIL: 'open' } })).stdout).toBe('');
    expect(
      decision(
        await ask(world, '{', { env: { SEKISHO_DB: join(world.project, 'none.db'), SEKISHO_HOOK_FAIL: 'closed' } }),
      ),
    ).toBe('deny');
    // Only a tool can be refused; an agent must be able to stop.
    expect((await ask(world, {}, { event: 'stop', env: { SEKISHO_DB: torn } })).stdout).toBe('');
    const config = '.sekisho/config.yaml';
    for (const [text, expected] of [
      ['hook: { fail: open }\n', undefined],
      ['lang: ja\nhook:\n  fail: open # for now\n', undefined],
      ['"hook": {"fail": "open"}\n', undefined],
      ['{\n  "hook": {\n    "fail": "open"\n  }\n}\n', undefined],
      ['  hook: { fail: open }\n', undefined],
      ['hook: { fail: closed }\n', 'deny'],
      ['hook: { fail: sometimes }\n', 'deny'],
      ['hook: [\n', 'deny'],
    ] as const) {
      world.write(config, text);
      expect(decision(await ask(world, '{')), text).toBe(expected);
    }
    // With a configuration that cannot be read nobody knows the rules, but the files stay closed.
    expect(decision(await ask(world, call))).toBe('deny');
    world.write(config, 'identity: optional\n');
    expect((await ask(world, call)).stdout).toBe('');
  });
});

inWorld('a hook that finds its project by a trusted configuration', 'sqlite', (test) => {
  const config = '.sekisho/config.yaml';
  /** As in a real project: no variable names the database. */
  const env = { SEKISHO_DB: '' };
  const keysFile = (world: World) =>
    join(world.place.data.state, 'trust', `${world.project.slice(1).replaceAll('/', '+')}.keys`);

  test(requires('gate.hook.keys'), async ({ world }) => {
    for (const text of ['db: null', 'projectKey: null', 'lang: null', 'process: null', 'db: ~', 'db: 0x10', 'db:']) {
      world.write(config, `${text}\n`);
      const { json } = await world.cli(['gate', 'create-run', '--process-id', 'hooked', '--json'], { env });
      const run = String(json['run_id']);
      const denied = await ask(world, use('Bash', { command: 'ls' }), { env });
      expect([text, decision(denied)]).toEqual([text, 'deny']);
      expect([text, reason(denied).includes('"plan"')]).toEqual([text, true]);
      const shown = await ask(world, { source: 'startup' }, { event: 'session-start', env });
      expect(shown.json['hookSpecificOutput'].additionalContext).toMatch(/run-/);
      expect(run).toMatch(/^run-/);
    }
  });

  test('without compiled keys it is closed until a person or the next command has written them', async ({ world }) => {
    const call = use('Read', { file_path: 'a' });
    for (const text of ['lang: en\n', 'db: own.db\n']) {
      world.write(config, text);
      expect((await ask(world, call, { env })).stdout).toBe('');
      const whole = readFileSync(keysFile(world), 'utf8');
      for (const broken of [
        undefined,
        '',
        '{',
        '{}',
        whole.replace('"lang"', '"tongue"'),
        whole.replace(/\b\w{8}/, 'x'),
      ]) {
        if (broken === undefined) rmSync(keysFile(world));
        else writeFileSync(keysFile(world), broken);
        const denied = await ask(world, call, { env });
        expect([broken, decision(denied)]).toEqual([broken, 'deny']);
        expect(reason(denied)).toContain('sekisho trust');
        expect(reason(await ask(world, call, { env, args: ['--lang', 'ja'] }))).toMatch(/人が sekisho trust を/);
        // Nothing that a hook does mends it, and no other event is held up or answered from guesses.
        for (const event of ['post-tool-use', 'session-start', 'stop'])
          expect(await ask(world, {}, { event, env })).toMatchObject({ code: 0, stdout: '' });
        expect(decision(await ask(world, call, { env }))).toBe('deny');
        expect((await ask(world, call, { env: { ...env, SEKISHO_HOOK_FAIL: 'open' } })).stdout).toBe('');
        await world.cli(['gate', 'list-runs', '--json'], { env });
        expect(readFileSync(keysFile(world), 'utf8')).toBe(whole);
        expect((await ask(world, call, { env })).stdout).toBe('');
      }
      rmSync(keysFile(world));
      await world.person(['trust', '--json'], { env });
      expect(readFileSync(keysFile(world), 'utf8')).toBe(whole);
    }
  });
});

describe('a fault before a hook has found its project', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    const events = ['pre-tool-use', 'post-tool-use', 'session-start', 'stop'];
    const clients = ['claude', 'codex', 'gemini', 'qwen', 'copilot', 'cursor', 'opencode', 'vscode'];

    test(requires('gate.hook.fault'), async ({ world }) => {
      await world.cli(['init']);
      const [name = ''] = readdirSync(join(world.place.data.state, 'roots'));
      const registered = join(world.place.data.state, 'roots', name);
      writeFileSync(registered, '{');
      const code = async (args: string[], body: object | string = {}) => {
        const told = await world.cli(['hook', ...args], {
          input: typeof body === 'string' ? body : JSON.stringify({ cwd: world.project, ...body }),
        });
        expect(told.stdout).toBe('');
        expect(told.stderr).not.toBe('');
        return told.code;
      };
      for (const client of clients)
        for (const event of events)
          expect([client, event, await code([event, '--client', client], use('Bash'))]).toEqual([
            client,
            event,
            event === 'pre-tool-use' ? 2 : 1,
          ]);
      // Where the command line names no event, the client's own word for it counts; where nobody says, it may be a tool.
      for (const [client, hook_event_name, expected] of [
        ['claude', 'PreToolUse', 2],
        ['claude', 'Stop', 1],
        ['gemini', 'BeforeTool', 2],
        ['gemini', 'AfterAgent', 1],
        ['cursor', 'beforeShellExecution', 2],
        ['cursor', 'beforeMCPExecution', 2],
        ['cursor', 'beforeReadFile', 2],
        ['cursor', 'stop', 1],
        ['claude', undefined, 2],
      ] as const)
        expect([hook_event_name, await code(['--client', client], { hook_event_name })]).toEqual([
          hook_event_name,
          expected,
        ]);
      expect(await code([], '{')).toBe(2);
      rmSync(registered);
      mkdirSync(registered);
      expect([await code(['pre-tool-use'], use('Bash')), await code(['stop'])]).toEqual([2, 1]);
      rmSync(registered, { recursive: true });
    });

    test('a hook that was installed wrongly blocks no other event either', async ({ world }) => {
      const code = async (...args: string[]) => (await world.cli(['hook', ...args])).code;
      expect(await code('pre-tool-use', '--client', 'nobody')).toBe(2);
      expect(await code('stop', '--client', 'nobody')).toBe(1);
      expect(await code('no-such-event')).toBe(2);
      const sandboxed = { input: '{}', env: { SEKISHO_SANDBOX: 'bwrap' } };
      expect((await world.cli(['hook', 'pre-tool-use'], sandboxed)).code).toBe(2);
      expect((await world.cli(['hook', 'stop'], sandboxed)).code).toBe(1);
      expect((await world.cli(['hook'], { ...sandboxed, input: '{"hook_event_name":"Stop"}' })).code).toBe(1);
    });
  });
});

inWorld('hooks over HTTP', 'sqlite', (test) => {
  test(requires('gate.hook.http'), async ({ world, run }) => {
    const daemon = await world.daemon();
    const post = async (path: string, body: string, token: string | undefined = daemon.token('agent')) => {
      const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
      const response = await fetch(`${daemon.url}${path}`, { method: 'POST', headers, body });
      return { status: response.status, text: await response.text() };
    };
    const call = JSON.stringify(use('Bash', { command: 'ls' }, { cwd: world.project }));
    const denied = await post('/hook/claude?event=pre-tool-use', call);
    expect(denied.status).toBe(200);
    expect(JSON.parse(denied.text)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    // The client's own word for the event will do.
    expect(JSON.parse((await post('/hook/claude', call)).text)).toMatchObject(JSON.parse(denied.text) as object);
    expect(await post('/hook/claude', JSON.stringify(use('Read')))).toEqual({ status: 200, text: '' });
    expect(JSON.parse((await post('/hook/gemini?event=pre-tool-use', '{')).text)).toMatchObject({ decision: 'deny' });
    expect((await post('/hook/claude', call, '')).status).toBe(401);
    expect((await post('/hook/nobody', call)).status).toBe(404);
    expect((await receipts(world)).at(-1)).toMatchObject({ subject: run, client: 'gemini', failure: 'HOOK_INPUT' });
    const file = join(world.place.data.state, 'daemon.json');
    expect(existsSync(file)).toBe(true);
    const gone = new Promise((done) => daemon.process.once('exit', done));
    daemon.process.kill('SIGTERM');
    await gone;
    expect(existsSync(file)).toBe(false);
  });
});

inWorld('hooks with PostgreSQL', 'postgres', (test) => {
  test(requires('gate.hook.postgres'), async ({ world, run }) => {
    const call = use('Bash', { command: 'ls' });
    expect(decision(await ask(world, call))).toBe('deny');
    expect((await receipts(world)).at(-1)?.['actor']).toContain('(unverified)');
    await world.daemon();
    const file = join(world.place.data.state, 'daemon.json');
    expect(readFileSync(file, 'utf8')).not.toContain('@');
    const asked = await ask(world, call);
    expect(decision(asked)).toBe('deny');
    expect(reason(asked)).toContain(run);
    // Said by the daemon, in the name of its token; a hook that has waited three seconds for it answers by itself.
    await until(
      'the daemon has answered',
      async () => {
        const actor = String((await receipts(world)).at(-1)?.['actor']);
        if (actor.includes('unverified')) await ask(world, call);
        return actor;
      },
      (actor) => !actor.includes('unverified'),
    );
    expect((await ask(world, use('Read'))).stdout).toBe('');
    expect(decision(await ask(world, '{'))).toBe('deny');
    chmodSync(file, 0o600);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/:\d+"/, ':1"'));
    expect(decision(await ask(world, call))).toBe('deny');
    expect((await receipts(world)).at(-1)?.['actor']).toContain('(unverified)');
    // In a registered root a variable names no other store.
    const elsewhere = { env: { SEKISHO_DB: 'postgres://none@127.0.0.1:1/none' } };
    expect(decision(await ask(world, call, elsewhere))).toBe('deny');
  });
});

describe('init --client', () => {
  const readIn = (world: World) => (path: string) => readFileSync(join(world.project, path), 'utf8');
  const clients = ['claude', 'codex', 'gemini', 'qwen', 'copilot', 'cursor', 'opencode'];
  const chosen = clients.flatMap((client) => ['--client', client]);

  inOneWorld('stdio', 'sqlite', (test) => {
    test(requires('gate.hook.init'), async ({ world }) => {
      const read = readIn(world);
      const mine = {
        permissions: { allow: ['Read'] },
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] }] },
      };
      world.write('../.claude/settings.json', JSON.stringify(mine));
      world.write('../.codex/config.toml', 'model = "gpt-5.5"');
      world.write('AGENTS.md', '# Mine\n');
      const first = await world.cli(['init', ...chosen]);
      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(first.stdout).toContain('.claude/settings.json');
      expect(first.stdout).toContain('--dangerously-bypass-hook-trust');
      expect(first.stdout).toContain('Start a Sekisho run');
      const settings = JSON.parse(read('../.claude/settings.json')) as Record<string, any>;
      expect(settings['permissions']).toEqual({ allow: ['Read'] });
      expect(settings['hooks'].PreToolUse[0]).toEqual(mine.hooks.PreToolUse[0]);
      const command = settings['hooks'].PreToolUse[1].hooks[0].command as string;
      const shim = join(world.place.data.path, 'app/sekisho');
      expect(command).toBe(`${shim} hook pre-tool-use --client claude`);
      expect(Object.keys(settings['hooks'])).toEqual(['PreToolUse', 'PostToolUse', 'SessionStart', 'Stop']);
      const server = { command: shim, args: ['mcp'] };
      expect(JSON.parse(read('../.claude.json'))).toMatchObject({
        projects: { [world.project]: { mcpServers: { sekisho: server } } },
      });
      const codex = read('../.codex/config.toml');
      expect(codex).toContain(
        `model = "gpt-5.5"\n\n[mcp_servers.sekisho]\ncommand = "${shim}"\nargs = ["mcp"]\nrequired = true\n`,
      );
      // Of itself it passes nothing on to a server, but everything to hooks.
      expect(codex).toMatch(/^env_vars = \[.*"SEKISHO_DB".*\]$/m);
      expect(JSON.parse(read('../.gemini/settings.json'))).toMatchObject({
        hooks: { BeforeTool: [{ matcher: '.*' }] },
        mcpServers: { sekisho: server },
      });
      expect(JSON.parse(read('../.copilot/hooks/sekisho.json'))).toMatchObject({
        version: 1,
        hooks: { preToolUse: [{ type: 'command' }] },
      });
      expect(JSON.parse(read('../.cursor/hooks.json'))).toMatchObject({ version: 1 });
      expect(read('../.config/opencode/plugins/sekisho.js')).toContain('tool.execute.before');
      // It fills such a folder with packages at its start, and a guard would take those for changes.
      expect(existsSync(join(world.project, '.opencode'))).toBe(false);
      expect(read('AGENTS.md')).toMatch(
        /^# Mine\n\n<!-- sekisho[\s\S]*state_gate\.create_run[\s\S]*<!-- \/sekisho -->\n$/,
      );
      // Of the project, hooks need nothing: they ask in its worktrees too.
      for (const folder of ['.claude', '.github']) expect(existsSync(join(world.project, folder))).toBe(false);
      // Whose folder is trusted is a person's choice.
      expect(existsSync(join(world.project, '../.gemini/trustedFolders.json'))).toBe(false);
      const again = await atTerminal(world, ['init', ...chosen, '--json']);
      const told = JSON.parse(again.text) as { clients: { written: string[] }[]; made: string[] };
      expect(told.clients.flatMap((one) => one.written)).toEqual([]);
      expect(told.made).toEqual([]);
    });

    test('VS Code asks by its own file and by those of Claude Code and Copilot, in each by its own tools', async ({
      world,
    }) => {
      const read = readIn(world);
      await world.cli(['init', '--client', 'claude', '--client', 'copilot', '--client', 'vscode']);
      await world.cli(['start', 'explore-plan-implement-verify', 'x', '--json']);
      const files = {
        '../.claude/settings.json': 'claude',
        '../.copilot/hooks/sekisho.json': 'copilot',
        '../.copilot/hooks/sekisho-vscode.json': 'vscode',
        '.github/hooks/sekisho-vscode.json': 'vscode',
      };
      const commands = Object.entries(files).map(([path, client]) => {
        const strings = (read(path).match(/"[^"]*"/g) ?? []).map((one) => JSON.parse(one) as string);
        return (event: string) =>
          strings.find((one) => one.endsWith(` hook ${event} --client ${client}`)) ?? `echo no hook in ${path}`;
      });
      const asks = (command: string, body: object) =>
        spawnSync('/bin/sh', ['-c', command], {
          input: JSON.stringify({
            timestamp: '2026-10-01T10:30:00.000Z',
            cwd: world.project,
            session_id: 's',
            ...body,
          }),
          cwd: world.project,
          env: world.env,
          encoding: 'utf8',
        }).stdout;
      const tools: readonly (readonly [string, object])[] = [
        ['create_file', { filePath: join(world.project, 'a.ts'), content: 'x' }],
        ['create_file', { filePath: join(world.project, '.sekisho/config.yaml'), content: 'x' }],
        ['replace_string_in_file', { filePath: join(world.project, 'a.ts'), oldString: 'a', newString: 'b' }],
        ['multi_replace_string_in_file', { explanation: 'x', replacements: [{ filePath: 'a.ts' }] }],
        ['insert_edit_into_file', { filePath: 'a.ts', code: 'x', explanation: 'x' }],
        ['apply_patch', { input: '*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch', explanation: 'x' }],
        ['edit_notebook_file', { filePath: 'a.ipynb', editType: 'insert', newCode: 'x' }],
      ];
      for (const command of commands) {
        for (const [tool_name, tool_input] of tools) {
          const body = { hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 'call_1__vscode-1' };
          const told = JSON.parse(asks(command('pre-tool-use'), body)) as Record<string, any>;
          expect([tool_name, told['hookSpecificOutput']?.permissionDecision]).toEqual([tool_name, 'deny']);
        }
        const note = { filePath: join(world.project, 'a.ts'), startLine: 1, endLine: 2 };
        expect(asks(command('pre-tool-use'), { tool_name: 'read_file', tool_input: note })).toBe('');
      }
      // Four files asked of the one call that passes; each refusal is kept.
      const kept = await receipts(world);
      expect(new Set(kept.map((one) => one['client']))).toEqual(new Set(['vscode']));
      expect(kept.filter((one) => one['tool'] === 'read_file')).toHaveLength(1);
      const transcript_path = '/h/.config/Code/User/workspaceStorage/1/GitHub.copilot-chat/transcripts/s.jsonl';
      const stop = { hook_event_name: 'Stop', session_id: 't', stop_hook_active: false, transcript_path };
      expect(JSON.parse(asks(commands[0]?.('stop') ?? '', stop))).toMatchObject({
        hookSpecificOutput: {
          hookEventName: 'Stop',
          decision: 'block',
          reason: expect.stringContaining('exploration'),
        },
      });
      // Nothing of it is to be committed.
      expect(JSON.parse(read('.vscode/mcp.json'))).toEqual({
        servers: {
          sekisho: {
            type: 'stdio',
            command: join(world.place.data.path, 'app/sekisho'),
            args: ['mcp'],
            cwd: '${workspaceFolder}',
          },
        },
      });
    });

    test('files for version control hold no path of one machine, and what they start says so where it is missing', async ({
      world,
    }) => {
      const read = readIn(world);
      await world.cli(['init', '--shared', ...chosen]);
      const files = [
        '.claude/settings.json',
        '.mcp.json',
        '.codex/hooks.json',
        '.codex/config.toml',
        '.gemini/settings.json',
      ];
      const more = [
        '.qwen/settings.json',
        '.github/hooks/sekisho.json',
        '.cursor/hooks.json',
        '.cursor/mcp.json',
        'opencode.json',
      ];
      for (const file of [...files, ...more, '.opencode/plugins/sekisho.js'])
        expect(read(file), file).not.toContain(world.project.slice(0, -'/project'.length));
      const { hooks } = JSON.parse(read('.claude/settings.json')) as Record<string, any>;
      const command = hooks.PreToolUse[0].hooks[0].command as string;
      const start = (env: Record<string, string>, line = command) =>
        spawnSync('/bin/sh', ['-c', `${line} --probe`], { cwd: world.project, env, encoding: 'utf8' });
      const { HOME = '', XDG_DATA_HOME = '' } = world.env;
      expect(JSON.parse(start({ HOME, XDG_DATA_HOME, PATH: '/usr/bin:/bin' }).stdout)).toMatchObject({
        root: world.project,
      });
      const nowhere = { HOME, XDG_DATA_HOME: join(HOME, 'nowhere'), PATH: '/usr/bin:/bin' };
      expect(start(nowhere)).toMatchObject({ status: 2, stderr: expect.stringContaining('sekisho init') as unknown });
      expect(start(nowhere, hooks.Stop[0].hooks[0].command as string)).toMatchObject({ status: 1 });
    });

    test('a folder is trusted only where a person says so', async ({ world }) => {
      const read = readIn(world);
      world.write('../.copilot/config.json', JSON.stringify({ trusted_folders: ['/mine'], theme: 'dark' }));
      await world.cli(['init', ...chosen, '--trust-folder']);
      expect(JSON.parse(read('../.gemini/trustedFolders.json'))).toEqual({ [world.project]: 'TRUST_FOLDER' });
      expect(read('../.codex/config.toml')).toContain(`[projects."${world.project}"]\ntrust_level = "trusted"`);
      expect(JSON.parse(read('../.copilot/config.json'))).toEqual({
        trusted_folders: ['/mine', world.project],
        theme: 'dark',
      });
    });

    test('a file that is not JSON is left alone, and so is everything else', async ({ world }) => {
      const read = readIn(world);
      world.write('../.qwen/settings.json', '{ mine\n}');
      const { code, stderr } = await world.cli(['init', '--client', 'claude', '--client', 'qwen']);
      expect(code).not.toBe(0);
      expect(stderr).toContain('nothing was changed');
      expect(read('../.qwen/settings.json')).toBe('{ mine\n}');
      expect(existsSync(join(world.project, '.claude'))).toBe(false);
      expect((await world.cli(['init', '--client', 'nobody'])).code).not.toBe(0);
    });

    test('an entry of an older place is brought up to date where it stands', async ({ world }) => {
      const read = readIn(world);
      const old = { command: "env -u NODE_EXTRA_CA_CERTS '/old place/bin/sekisho' hook stop --client cursor" };
      world.write('../.cursor/hooks.json', JSON.stringify({ version: 1, hooks: { stop: [old, { command: 'mine' }] } }));
      const theirs =
        '[ mcp_servers.sekisho ]\r\ncommand = "sekisho"\r\nargs = [\r\n  "old",\r\n]\r\n\r\n[other]\r\na = 1\r\n';
      world.write('../.codex/config.toml', theirs);
      await world.cli(['init', '--client', 'cursor', '--client', 'codex']);
      const { stop } = (JSON.parse(read('../.cursor/hooks.json')) as { hooks: { stop: { command: string }[] } }).hooks;
      expect(stop).toHaveLength(2);
      expect(stop[0]?.command).not.toContain('old place');
      expect(stop[1]).toEqual({ command: 'mine' });
      const toml = read('../.codex/config.toml');
      expect(toml).toMatch(
        /^\[ mcp_servers.sekisho \]\r\ncommand = ".*app\/sekisho"\r\nargs = \["mcp"\]\r\nrequired = true\r\nenv_vars = .*\r\n\r\n\[other\]\r\na = 1\r\n$/,
      );
      const server = async () => {
        const { json } = await world.cli(['status', '--json']);
        const rings = json['rings'] as { name: string; client?: string; state: string }[];
        return rings.find((one) => one.name === 'server' && one.client === 'codex')?.state;
      };
      expect(await server()).toBe('on');
      // The same content in another form is the same setup.
      const inline = toml
        .replace('[ mcp_servers.sekisho ]\r\n', 'mcp_servers.sekisho = { ')
        .replace(/\r\n(?=args|required|env_vars)/g, ', ')
        .replace('\r\n\r\n', ' }\r\n');
      world.write('../.codex/config.toml', inline);
      expect(await server()).toBe('on');
      await world.person(['init', '--client', 'codex']);
      expect(read('../.codex/config.toml')).toBe(inline);
      world.write('../.codex/config.toml', toml);
      await world.person(['uninstall']);
      expect(read('../.codex/config.toml')).toBe(theirs);
    });
  });
});
