import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { type World, bin, inOneWorld, node } from './world.ts';
import { row } from '../setup/security.ts';

const missing = getBubblewrap();
if (missing !== undefined) {
  if (process.env['CI'] !== undefined) throw new Error(`sekisho run cannot be tested: ${missing}`);
  process.stderr.write(`\n*** sekisho run IS NOT TESTED: ${missing} ***\n\n`);
}

const sekisho = `${node} ${bin}`;
const question = (tool: string) => `{"session_id":"s","tool_name":"${tool}","tool_input":{"file_path":"x"}}`;
const hook = (tool: string) => `echo '${question(tool)}' | ${sekisho} hook pre-tool-use --client claude`;

/** A program in a folder of the home, as a client would be. */
function programAt(home: string, name: string, script: string): { readonly PATH: string } {
  const folder = join(home, 'programs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

/** The command that the state denies, in each client's words. */
function questionOf(client: string): string {
  if (client === 'copilot') return '{"sessionId":"s","toolName":"bash","toolArgs":{"command":"x"}}';
  if (client === 'opencode') return '{"sessionID":"s","tool":"bash","args":{"command":"x"}}';
  const tool = { codex: 'shell', cursor: 'Shell' }[client] ?? 'run_shell_command';
  return `{"session_id":"s","tool_name":"${tool}","tool_input":{"command":"x"}}`;
}

function listTree(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((one) => !one.includes('sekisho.db'))
    .toSorted();
}

/** A run in a state that denies editing. */
async function restricted(world: World): Promise<void> {
  const name = 'hooked.yaml';
  copyFileSync(
    join(import.meta.dirname, '../fixtures/processes', name),
    join(world.project, '.sekisho/processes', name),
  );
  expect((await world.cli(['gate', 'create-run', '--process-id', 'hooked', '--json'])).code).toBe(0);
  await world.daemon();
}

const shell = (world: World, script: string, settings: Parameters<World['cli']>[1] = {}) =>
  world.cli(['run', '--', '/bin/bash', '-c', script], settings);

describe.skipIf(missing !== undefined)('sekisho run', () => {
  inOneWorld('http', 'sqlite', (test) => {
    test('starts a program in the sandbox, says which ring is on, and passes its exit code on', async ({ world }) => {
      await world.daemon();
      const done = await shell(world, 'echo "$SEKISHO_SANDBOX ${SEKISHO_DB-none}"; exit 7');
      expect(done).toMatchObject({ code: 7, stdout: 'bwrap none\n' });
      expect(done.stderr).toContain('関所 ring 3: sandbox (bwrap)');
      const inJapanese = await world.cli(['run', '--lang', 'ja', '--', '/bin/true']);
      expect(inJapanese).toMatchObject({ code: 0, stderr: expect.stringContaining('サンドボックス') });
    });

    test('does not start an application that only a person can start', async ({ world }) => {
      for (const word of ['vscode', 'code', 'code-insiders']) {
        const { code, stdout, stderr } = await world.cli(['run', word, '.']);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain('Sekisho cannot start vscode');
        expect(stderr).toContain('sekisho init --client vscode');
      }
      expect((await world.cli(['run', '--lang', 'ja', 'vscode'])).stderr).toContain('起動できません');
    });

    test(`${row('sandbox.credentials')} says which logins are not there, and shows those that it is told to`, async ({
      world,
    }) => {
      await world.daemon();
      const home = join(world.project, '../home');
      for (const name of ['.aws', '.config/gh']) {
        mkdirSync(join(home, name), { recursive: true });
        writeFileSync(join(home, name, 'login'), 'secret');
      }
      const env = { HOME: home };
      const read = 'cat ~/.aws/login ~/.config/gh/login';
      const hidden = await shell(world, read, { env });
      expect(hidden).toMatchObject({ code: 1, stdout: '' });
      expect(hidden.stderr).toContain('Hidden inside: ~/.aws, ~/.config/gh · to show one: --allow ~/.aws');
      const shown = await world.cli(['run', '--allow', '~/.aws', '--', '/bin/bash', '-c', read], { env });
      expect(shown).toMatchObject({ code: 1, stdout: 'secret' });
      expect(shown.stderr).toContain('allowed: ~/.aws');
      world.write('.sekisho/config.yaml', 'sandbox: { allow: ["~/.aws", "~/.config/gh"] }\n');
      const all = await shell(world, read, { env });
      expect(all).toMatchObject({ code: 0, stdout: 'secretsecret' });
      expect(all.stderr).not.toContain('Hidden inside');
      world.write('.sekisho/config.yaml', 'sandbox: { allow: [aws] }\n');
      const odd = await shell(world, read, { env });
      expect(odd.stderr + odd.stdout).toContain('paths that begin with / or ~/');
    });

    test('the journal keeps how each session was started, and a store within reach turns ring 3 off', async ({
      world,
    }) => {
      await world.daemon();
      expect((await world.cli(['run', '--allow', 'ssh-agent', '--', '/bin/true'])).code).toBe(0);
      expect((await world.cli(['run', '--unsandboxed', '--', '/bin/true'])).code).toBe(0);
      const open = await world.cli(['run', '--db', join(world.project, 'own.db'), '--', '/bin/true']);
      expect(open).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('関所 ring 3 is off, though the sandbox'),
      });
      const { json } = await world.cli(['journal', 'list', '--json']);
      const started = (json['entries'] as { kind: string; subject: string; data: object }[]).filter(
        ({ kind }) => kind === 'client.started',
      );
      expect(started.map(({ data }) => data)).toEqual([
        { client: null, ring: 3, sandbox: 'bwrap', open: null, allow: ['ssh-agent'] },
        { client: null, ring: 2, sandbox: null, open: null, allow: [] },
        { client: null, ring: 2, sandbox: 'bwrap', open: 'store-in-project', allow: [] },
      ]);
      for (const { subject } of started) expect(subject).toMatch(/^session:/);
    });

    test(`${row('sandbox.nested')} a git repository that appears inside is said at the end, kept in the journal, and starts nothing`, async ({
      world,
    }) => {
      await world.daemon();
      const nest = 'git init -q n && git -C n config core.fsmonitor "touch $PWD/ran #" && git init -q m';
      const done = await shell(world, nest);
      expect(done).toMatchObject({ code: 0 });
      expect(done.stderr).toMatch(/^Git repositories appeared .*: m, n \(disabled: core\.fsmonitor\)\./m);
      execFileSync('git', ['status'], { cwd: join(world.project, 'n') });
      expect(existsSync(join(world.project, 'ran'))).toBe(false);
      const { json } = await world.cli(['journal', 'list', '--json']);
      const entries = json['entries'] as { kind: string; subject: string; data: { found: object[] } }[];
      const started = entries.find(({ kind }) => kind === 'client.started');
      const found = [
        { path: 'm', disabled: [], failed: [] },
        { path: 'n', disabled: ['core.fsmonitor'], failed: [] },
      ];
      expect(entries.filter(({ kind }) => kind === 'sandbox.repositories')).toMatchObject([
        { subject: started?.subject, data: { found } },
      ]);
      expect((await shell(world, 'true')).stderr).not.toContain('Git repositories');
      const inJapanese = await world.cli(['run', '--lang', 'ja', '--', '/bin/bash', '-c', 'git init -q o']);
      expect(inJapanese.stderr).toContain('git リポジトリが作成または変更されました: o');
    });

    test('the program’s own flags are the program’s', async ({ world }) => {
      await world.daemon();
      const done = await world.cli(['run', '/bin/echo', '--json', '--unsandboxed', '-x', '--', 'y']);
      expect(done).toMatchObject({ code: 0, stdout: '--json --unsandboxed -x -- y\n' });
    });

    test(`${row('sandbox.bridge')} hooks and the server inside are answered by the daemon; nothing else is there`, async ({
      world,
    }) => {
      await restricted(world);
      const denied = await shell(world, hook('Edit'));
      expect(denied.stdout).toContain('"permissionDecision":"deny"');
      const calls = [
        {
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/call', params: { name: 'state_gate.get_state', arguments: {} } },
      ];
      const lines = calls.map((call) => JSON.stringify({ jsonrpc: '2.0', ...call })).join('\n');
      const answered = await shell(world, `cat > q <<'END'\n${lines}\nEND\n${sekisho} mcp < q`);
      expect(
        answered.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as object),
      ).toMatchObject([
        { id: 1, result: { serverInfo: { name: 'sekisho' } } },
        { id: 2, result: { structuredContent: { current_state: 'plan', sandbox: { state: 'on' } } } },
      ]);
      // Whoever is not inside is told so.
      expect((await world.call('state_gate.get_state', {})).value).toMatchObject({ sandbox: { state: 'off' } });
      const refused = await shell(world, `${sekisho} gate list-runs`);
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('only "sekisho mcp" and "sekisho hook" work here'),
      });
      const reached = await shell(world, `cat .sekisho/sekisho.db ${world.place.data.state}/*`);
      expect(reached).toMatchObject({ code: 1, stdout: '' });
    });

    test(`${row('sandbox.bridge')} Claude is asked over HTTP, with a token that is good for nothing else`, async ({
      world,
    }) => {
      await restricted(world);
      const folder = join(world.project, '../programs');
      mkdirSync(folder);
      copyFileSync(join(import.meta.dirname, '../fixtures/sandbox/claude.mjs'), join(folder, 'claude'));
      chmodSync(join(folder, 'claude'), 0o755);
      const env = { PATH: `${folder}:${world.env['PATH'] ?? ''}` };
      const done = await world.cli(['run', 'claude', '--model', 'x'], { env });
      expect(done.code).toBe(0);
      expect(done.json).toMatchObject({
        args: [
          '--settings',
          '/run/sekisho/settings.json',
          '--mcp-config',
          '/run/sekisho/mcp.json',
          '--strict-mcp-config',
          '--model',
          'x',
        ],
        sandbox: { enabled: false },
        decision: 'deny',
        elsewhere: { '/mcp': 403, '/hook/codex': 403, '/api/runs': 403 },
      });
      expect(done.stderr).toContain("claude's own sandbox is off");
    });

    test.for([
      ['codex', '.codex/hooks.json', '{"hooks":{"Stop":[]},"theirs":1}'],
      ['gemini', '.gemini/settings.json', '{"theme":"theirs"}'],
      ['qwen', '.qwen/settings.json', undefined],
      ['copilot', '.copilot/hooks/sekisho.json', undefined],
      ['opencode', '.config/opencode/plugins/sekisho.js', undefined],
      ['cursor-agent', '.cursor/hooks.json', undefined],
    ] as const)(
      '%s reads hooks in its own files that are not there outside',
      async ([program, file, theirs], { world }) => {
        await restricted(world);
        const home = join(world.project, '../home');
        const real = join(home, file);
        const before = listTree(world.project);
        if (theirs !== undefined) {
          mkdirSync(dirname(real), { recursive: true });
          writeFileSync(real, theirs);
        }
        // What lies beside it stays in sight.
        const beside = join(dirname(real), 'beside');
        if (theirs === undefined) mkdirSync(dirname(real), { recursive: true });
        writeFileSync(beside, 'beside');
        const env = programAt(home, program, `cat ${real}; cat ${beside} >&2; echo x > ${real}; true`);
        const done = await world.cli(['run', program], { env: { ...env, HOME: home } });
        expect(done.stderr).toContain('関所 ring 3: sandbox (bwrap)');
        expect(done.stderr).toContain('Read-only file system');
        if (/hooks\/|plugins\//.test(file)) expect(done.stderr).toContain('beside');
        const id = program.replace('-agent', '');
        expect(done.stdout.match(new RegExp(`sekisho hook pre-tool-use --client ${id}`, 'g'))?.length).toBeGreaterThan(
          0,
        );
        if (theirs !== undefined) expect(done.stdout).toContain('theirs');
        const [line = ''] = new RegExp(`[^"]* hook pre-tool-use --client ${id}`).exec(done.stdout) ?? [];
        const asked = programAt(home, program, `echo '${questionOf(id)}' | ${line}`);
        expect((await world.cli(['run', program], { env: { ...asked, HOME: home } })).stdout).toMatch(/deny/);
        expect(existsSync(real) ? readFileSync(real, 'utf8') : undefined).toBe(theirs);
        expect(listTree(world.project)).toEqual(before);
      },
    );

    test('a client that does not ask is named instead of the ring', async ({ world }) => {
      await world.daemon();
      const home = join(world.project, '../home');
      mkdirSync(join(home, '.gemini'), { recursive: true });
      const inside = (program: string, ...words: string[]) =>
        world.cli(['run', ...words, program], { env: { ...programAt(home, program, 'true'), HOME: home } });
      const amp = await inside('amp');
      expect(amp.stderr).toContain('関所 ring 1 is off: amp has no hooks');
      expect(amp.stderr).not.toContain('ring 3:');
      const bare = await inside('gemini', '--unsandboxed');
      expect(bare.stderr).toContain('Prepare it: sekisho init --client gemini');
      writeFileSync(join(home, '.gemini/settings.json'), '{ "hooksConfig": { "enabled": false } }');
      const off = await inside('gemini');
      expect(off.stderr).toContain(`ring 1 is off: ${join(home, '.gemini/settings.json')} switches the hooks`);
      expect(off.stderr).not.toContain('ring 3:');
      const inJapanese = await inside('gemini', '--lang', 'ja');
      expect(inJapanese.stderr).toContain('関所 リング 1 は無効です');
    });

    test('the folder for temporary files is one that is there', async ({ world }) => {
      await world.daemon();
      const away = mkdtempSync(join(tmpdir(), 'sekisho-away-'));
      try {
        const env = { TMPDIR: away, TMP: away };
        const done = await shell(world, 'echo x > "$TMPDIR/file" && echo x > "$TMP/file" && echo done', { env });
        expect(done).toMatchObject({ code: 0, stdout: 'done\n' });
        writeFileSync(join(away, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
        const PATH = `${away}:${world.env['PATH'] ?? ''}`;
        const hidden = await world.cli(['run', 'claude'], { env: { PATH } });
        expect(hidden.code).toBe(3);
        expect(hidden.stderr).toContain(`${away}/claude is in a folder that is empty inside of the sandbox`);
        expect(hidden.stderr).not.toContain('bwrap:');
        const allowed = await world.cli(['run', '--allow', away, 'claude'], { env: { PATH } });
        expect(allowed.code).toBe(0);
      } finally {
        rmSync(away, { recursive: true });
      }
    });

    test('a client finds its own files where the person’s variables say they are', async ({ world }) => {
      await world.daemon();
      const folder = join(world.project, '../programs');
      const own = join(world.project, '../xdg');
      for (const path of [folder, join(own, 'config/opencode'), join(own, 'state')])
        mkdirSync(path, { recursive: true });
      writeFileSync(join(own, 'config/opencode/opencode.json'), '{ "theme": "mine" }');
      const tries = [
        'cat "$XDG_CONFIG_HOME/opencode/opencode.json"',
        'echo x > "$XDG_CONFIG_HOME/opencode/opencode.json"',
        'mkdir -p "$XDG_STATE_HOME/opencode/x" "$XDG_CACHE_HOME/x" && echo kept',
      ];
      writeFileSync(join(folder, 'opencode'), `#!/bin/sh\n${tries.join('\n')}\n`);
      chmodSync(join(folder, 'opencode'), 0o755);
      const env = {
        PATH: `${folder}:${world.env['PATH'] ?? ''}`,
        XDG_CONFIG_HOME: join(own, 'config'),
        XDG_STATE_HOME: join(own, 'state'),
        XDG_CACHE_HOME: join(own, 'cache'),
      };
      const done = await world.cli(['run', 'opencode'], { env });
      expect(done.code).toBe(0);
      expect(done.stdout).toMatch(/"theme": "mine"[^]*"sekisho"[^]*kept\n$/);
      expect(done.stderr).toContain('Read-only file system');
      expect(readFileSync(join(own, 'config/opencode/opencode.json'), 'utf8')).toBe('{ "theme": "mine" }');
      expect([existsSync(join(own, 'state/opencode')), existsSync(join(own, 'cache'))]).toEqual([false, false]);
    });

    test(`${row('sandbox.daemon')} when the daemon dies the agent is ended, and a hook that asks nobody says no`, async ({
      world,
    }) => {
      const { process: daemon } = await world.daemon();
      const child = spawn(node, [bin, 'run', '--', '/bin/bash', '-c', 'echo ready; sleep 60'], {
        cwd: world.project,
        env: world.env,
      });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await once(child.stdout, 'data');
      daemon.kill('SIGKILL');
      await once(child, 'close');
      expect(said).toContain('The daemon has ended, so the agent was stopped');
      const alone = await world.cli(['hook', 'pre-tool-use', '--client', 'claude'], {
        input: question('Edit'),
        env: { SEKISHO_SANDBOX: 'bwrap' },
      });
      expect(alone).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('nothing is allowed until it runs again'),
      });
    });

    test('a signal reaches the program, and its session ends with it', async ({ world }) => {
      await world.daemon();
      const child = spawn(
        node,
        [bin, 'run', '--', '/bin/bash', '-c', 'trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done'],
        { cwd: world.project, env: world.env },
      );
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(9);
    });

    test(`${row('sandbox.refused')} it starts a daemon where none runs, and starts nothing where no sandbox can be had`, async ({
      world,
    }) => {
      const home = join(world.project, 'home');
      mkdirSync(home);
      const refused = await shell(world, 'touch started', { env: { HOME: home } });
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('No sandbox here: ') });
      expect(refused.stderr).toContain('--unsandboxed');
      expect(existsSync(join(world.project, 'started'))).toBe(false);
      const bare = await world.cli(
        ['run', '--unsandboxed', '--', '/bin/bash', '-c', 'cat .sekisho/sekisho.db | head -c 6'],
        { env: { HOME: home } },
      );
      expect(bare).toMatchObject({ code: 0, stdout: 'SQLite', stderr: expect.stringContaining('ring 3 is off') });
      // Another program has the port.
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      onTestFinished(() => void other.close());
      const port = String((other.address() as AddressInfo).port);
      const started = await shell(world, hook('Read'), { env: { SEKISHO_HTTP_PORT: port } });
      expect(started.code).toBe(0);
      const { url } = JSON.parse(readFileSync(join(world.place.data.state, 'daemon.json'), 'utf8')) as { url: string };
      expect(new URL(url)).toMatchObject({ hostname: '127.0.0.1', port: expect.not.stringMatching(port) as string });
      expect(started.stderr).toContain(`the daemon uses ${url}`);
    });

    test(`${row('sandbox.guard')} what an agent wrote inside runs inside, also when a guard runs it`, async ({
      world,
    }) => {
      world.write('check.sh', 'true\n');
      world.write(
        '.sekisho/processes/checked.yaml',
        `id: checked
version: "1"
initial_state: a
states: [{ name: a }, { name: b, is_final: true }]
events: [{ name: done }]
guards: { check: { type: command, command: [/bin/bash, check.sh] } }
transitions: [{ from: a, event: done, to: b, guards: [check] }]
`,
      );
      await world.daemon();
      const trusted = await world.person(['trust', '.sekisho/processes/checked.yaml', '--json']);
      expect(trusted.code).toBe(0);
      const created = await world.cli(['gate', 'create-run', '--process-id', 'checked', '--json']);
      const reach = `head -c 6 ${world.place.data.state}/user.db >> stolen`;
      const emit = (key: string, env = {}) => {
        const event = ['--event-name', 'done', '--expected-revision', '0', '--idempotency-key', key];
        return world.cli(['gate', 'emit-event', '--run-id', String(created.json['run_id']), ...event, '--json'], {
          env,
        });
      };
      // Before any sandboxed agent has been here, and where nobody wants it, it runs as the person does.
      world.write('check.sh', `${reach}; exit 1\n`);
      expect((await emit('1')).code).toBe(1);
      expect(readFileSync(join(world.project, 'stolen'), 'utf8')).toBe('SQLite');
      expect((await shell(world, `echo '${reach}; exit 1' > check.sh; rm stolen`)).code).toBe(0);
      const refused = await emit('2');
      expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('in the sandbox (bwrap)') });
      expect(readFileSync(join(world.project, 'stolen'), 'utf8')).toBe('');
      // It never runs outside because there is no sandbox.
      const none = await emit('3', { HOME: world.project });
      expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('must run in a sandbox') });
      expect((await shell(world, 'echo true > check.sh')).code).toBe(0);
      expect((await emit('4')).code).toBe(0);
    });
  });
});
