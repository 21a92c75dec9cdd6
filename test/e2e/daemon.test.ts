import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { until } from '../setup/until.ts';
import { bin, inOneWorld, node } from './world.ts';

inOneWorld('http', 'sqlite', (test) => {
  const upgrade = (port: number, path: string, reset: boolean) =>
    new Promise<string>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer wrong\r\n\r\n`,
        );
        if (reset) setImmediate(() => socket.resetAndDestroy());
      });
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => done(answer));
    });

  test('a client that sends nonsense or goes away in the handshake does not take the daemon down', async ({
    world,
  }) => {
    const { url, process: daemon } = await world.daemon();
    const port = Number(new URL(url).port);
    expect(await upgrade(port, '//', false)).toContain('400');
    expect(await upgrade(port, '/ws', false)).toContain('401');
    expect(await upgrade(port, '/nothing', false)).toContain('404');
    for (let n = 0; n < 60; n++) await upgrade(port, '/ws', true);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(daemon.exitCode).toBeNull();
  });

  test('a folder that nobody listed is served without its configuration, so that it starts no program', async ({
    world,
  }) => {
    const other = join(world.project, '../other');
    mkdirSync(join(other, '.sekisho/processes'), { recursive: true });
    const proof = join(other, 'ran.txt');
    const program = `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`;
    writeFileSync(
      join(other, '.sekisho/config.yaml'),
      `projectKey: ${world.project}\nupstreams: { evil: { command: [node, -e, ${JSON.stringify(program)}] } }\n`,
    );
    const client = await world.client({ path: `/mcp?project=${encodeURIComponent(other)}` });
    await world.call('state_gate.create_run', { process_id: 'exploration' });
    expect((await world.call('state_gate.list_runs', {}, client)).value['runs']).toEqual([]);
    await client.listTools();
    // A server that has told its state has started what it would start.
    await world.call('upstream.status', { check: true }, client);
    expect(existsSync(proof)).toBe(false);
  });

  test('a token file that we did not write is not believed', async ({ world }) => {
    const other = join(world.project, '../planted');
    mkdirSync(join(other, 'sekisho/state'), { recursive: true });
    writeFileSync(join(other, 'sekisho/state/agent.token'), 'sk_planted\n');
    const child = spawn(node, [bin, 'up', '--port', '0', '--json'], {
      cwd: other,
      env: { PATH: world.env['PATH'], HOME: world.env['HOME'], XDG_DATA_HOME: other },
    });
    const line = await new Promise<string>((done) =>
      child.stdout.once('data', (chunk: Buffer) => done(chunk.toString())),
    );
    const { url } = JSON.parse(line) as { url: string };
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_planted' },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });

  test('the database and the upstream of a daemon in the background stand on no command line, and are those that were named', async ({
    world,
  }) => {
    const cwd = join(world.project, 'deep');
    mkdirSync(cwd);
    const flags = ['--project', '..', '--db', 'named.db', '--upstream', 'http://127.0.0.1:1/mcp?key=secret'];
    const up = await world.cli(['up', '--background', '--port', '0', ...flags, '--json'], { cwd });
    expect(up.json['started'], up.stderr).toBe(true);
    await until('it has opened its store', () => existsSync(join(cwd, 'named.db')));
    const { pid } = JSON.parse(readFileSync(join(world.place.data.state, 'daemon.json'), 'utf8')) as { pid: number };
    const line = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    expect(line).toContain('up --json');
    expect(line).not.toMatch(/named\.db|secret/);
  });

  test('prints how each client is configured over HTTP', async ({ world }) => {
    const up = (env: Record<string, string>) =>
      world.cli(['up', '--background', '--port', '0', '--print-config'], { env });
    const system = '/usr/bin:/bin';
    const all = await up({ PATH: system });
    expect(all.stdout).toContain('claude, .mcp.json:');
    expect(all.stdout).toContain('bearer_token_env_var = "SEKISHO_AGENT_TOKEN"');
    expect(all.stdout).toContain('"httpUrl": "http://127.0.0.1:');
    expect(all.stdout).toContain('Bearer {env:SEKISHO_AGENT_TOKEN}');
    const programs = join(world.project, '../programs');
    mkdirSync(programs);
    writeFileSync(join(programs, 'codex'), '', { mode: 0o755 });
    const one = await up({ PATH: `${programs}:${system}` });
    expect(one.stdout).toContain('codex, ~/.codex/config.toml:');
    expect(one.stdout).not.toContain('mcpServers');
  });

  test('a first start in the background takes the person’s token and every flag of one in the foreground', async ({
    world,
  }) => {
    const token = 'first-'.repeat(8);
    const env = { XDG_DATA_HOME: join(world.project, '../fresh'), SEKISHO_PERSON_TOKEN: token };
    const short = await world.cli(['up', '--background', '--port', '0'], {
      env: { ...env, SEKISHO_PERSON_TOKEN: 'short' },
    });
    expect(short.code).toBe(2);
    expect(short.stderr).toContain('SEKISHO_PERSON_TOKEN');
    const flags = ['--toolsets', 'gate,upstream', '--upstream', 'http://127.0.0.1:1/mcp', '--name', 'shop'];
    const proxy = ['--skill', 'sell', '--tools', 'buy', '--init-script', 'init.js', '--init-tool', 'run', '--no-init'];
    const up = await world.cli(['up', '--background', '--port', '0', ...flags, ...proxy, '--json'], { env });
    expect(up.code, up.stderr).toBe(0);
    const call = async (operation: string) => {
      const url = `${up.json['url']}/api/${operation}?project=${encodeURIComponent(world.project)}`;
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await call('state_gate.list_runs')).status).toBe(200);
    expect((await call('upstream.status')).text).toMatch(/"shop".*"sell"|"sell".*"shop"/);
    expect((await call('list_tasks')).status).not.toBe(200);
  });

  test('a daemon with --db asks the run of another project in that database too', async ({ world }) => {
    const gated =
      'id: gated\nversion: "1"\ninitial_state: a\nstates: [{ name: a, tool_permissions: { denied: [inject_phase_prompt] } }, { name: b, is_final: true }]\nevents: [{ name: go }]\ntransitions: [{ from: a, event: go, to: b }]\n';
    world.write('.sekisho/processes/gated.yaml', gated);
    const db = join(world.project, '../shared.db');
    const begun = await world.cli(['gate', 'create-run', '--process-id', 'gated', '--db', db, '--json']);
    expect(begun.code, begun.stdout).toBe(0);
    const other = join(world.project, '../other');
    mkdirSync(join(other, '.sekisho'), { recursive: true });
    const child = spawn(node, [bin, 'up', '--port', '0', '--json', '--db', db], { cwd: other, env: world.env });
    const line = await new Promise<string>((done) =>
      child.stdout.once('data', (chunk: Buffer) => done(chunk.toString())),
    );
    const { url, tokens } = JSON.parse(line) as { url: string; tokens: { agent: string } };
    const client = new Client({ name: 'sekisho-test', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp?project=${encodeURIComponent(other)}`), {
        requestInit: { headers: { Authorization: `Bearer ${readFileSync(tokens.agent, 'utf8').trim()}` } },
      }),
    );
    const inject = async (projectPath: string) =>
      (await world.call('inject_phase_prompt', { phase: 'phase0', context: { projectPath } }, client)).text;
    expect(await inject(world.project)).toContain('FORBIDDEN');
    expect(await inject(other)).not.toContain('FORBIDDEN');
    await client.close();
  });
});
