import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { upstreamsOf } from '../../src/upstream/settings.ts';
import { configure } from '../../src/app/configure.ts';
import { atTerminal } from '../e2e/terminal.ts';
import { serviceVariables } from '../setup/image.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'deploy/proxy');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const compose = parse(read('docker-compose.yml')) as Record<string, any>;
const lines = read('Dockerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('the compose file has one service, proxy, on the host’s network, and what it mounts and builds from exists', () => {
  expect(Object.keys(compose['services'])).toEqual(['proxy']);
  const { proxy } = compose['services'];
  expect(proxy.network_mode).toBe('host');
  expect(proxy).not.toHaveProperty('ports');
  expect(existsSync(resolve(folder, proxy.build.context, proxy.build.dockerfile))).toBe(true);
  for (const volume of proxy.volumes as string[]) {
    const [source = ''] = volume.split(':');
    if (source.startsWith('.')) expect(existsSync(join(folder, source)), source).toBe(true);
    else expect(Object.keys(compose['volumes'])).toContain(source);
  }
});

type Answer = { readonly id?: number; readonly result: Record<string, any> };

/** Asks a server over its pipes; what it tells of itself in between is passed over. */
function asker(server: ChildProcessByStdio<Writable, Readable, null>) {
  const heard = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  return async (id: number, method: string, params: object): Promise<Answer> => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const answer = JSON.parse(String((await heard.next()).value)) as Answer;
      if (answer.id === id) return answer;
    }
  };
}

test('the variables of the compose file make a gated upstream, and the script that they name is mounted', async () => {
  const data = mkdtempSync(join(tmpdir(), 'sekisho-proxy-data-'));
  const env = { ...serviceVariables(join(folder, 'docker-compose.yml'), 'proxy'), XDG_DATA_HOME: data };
  const upstreams = upstreamsOf(await configure({ project: data }, { env, cwd: data, terminal: false }));
  rmSync(data, { recursive: true });
  expect(upstreams).toMatchObject([
    { name: 'penpot', url: 'http://127.0.0.1:4401/mcp', skill: 'penpot', gated: true, reconnect: 'manual' },
  ]);
  const mounted = (compose['services'].proxy.volumes as string[]).map((volume) => volume.split(':'));
  expect(mounted.find(([, at]) => at === upstreams[0]?.init?.script)?.[0]).toBe('./penpot-init.js');
});

/** With a configuration mounted in place of variables: several upstreams need one. */
function mounted() {
  const entry = lines.find((line) => line.startsWith('ENTRYPOINT '))?.slice(11) ?? '';
  const [, bin = '', ...command] = JSON.parse(entry) as string[];
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-proxy-')));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const project = join(place, 'project');
  mkdirSync(join(project, '.sekisho'), { recursive: true });
  writeFileSync(
    join(project, '.sekisho/config.yaml'),
    'upstreams:\n  penpot: { url: "http://127.0.0.1:9/mcp", skill: penpot, tools: [execute_code] }\n',
  );
  const data = join(place, 'data');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: place,
    XDG_DATA_HOME: data,
    SEKISHO_DB: join(data, 'sekisho.db'),
  };
  return { project, env, line: [bin.replace('/opt/sekisho', root)], command };
}

/** What a client sees of the service: its tools, and what `activate` says. */
async function serve({ project, env, line, command }: ReturnType<typeof mounted>) {
  const child = spawn(process.execPath, [...line, ...command], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const gone = new Promise((done) => child.once('exit', done));
  try {
    const ask = asker(child);
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    expect((await ask(1, 'initialize', hello)).result['serverInfo'].name).toBe('sekisho');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    const { result } = await ask(2, 'tools/list', {});
    const called = await ask(3, 'tools/call', { name: 'activate', arguments: {} });
    return {
      names: (result['tools'] as { name: string }[]).map((tool) => tool.name),
      told: String(called.result['content'][0].text),
    };
  } finally {
    child.stdin.end();
    await gone;
  }
}

test('a mounted configuration counts once the person who deploys it has seen it', async () => {
  const service = mounted();
  const before = await serve(service);
  expect(before.names).toContain('activate');
  expect(before.names).not.toContain('execute_code');
  expect(before.told).toContain('.sekisho/config.yaml is not trusted');
  // docker compose run --rm --entrypoint "node /opt/sekisho/bin/sekisho" proxy trust
  const shown = await atTerminal(service, ['trust'], { answers: { '[y/N]': 'y' } });
  expect(shown.text).toContain('penpot');
  const after = await serve(service);
  expect(after.names).toEqual(expect.arrayContaining(['activate', 'execute_code']));
  expect(after.names).not.toContain('state_gate.get_state');
  expect(after.told).toContain('Cannot connect to upstream "penpot"');
});

test('without a terminal it is trusted with a person’s token and by the digest of the very file, and no other', async () => {
  const service = mounted();
  const text = readFileSync(join(service.project, '.sekisho/config.yaml'));
  const digest = createHash('sha256').update(text).digest('hex');
  const token = 'a token of the person who deploys, long enough';
  const trust = (digests: string, env: Readonly<Record<string, string>>) =>
    new Promise<number | null>((done) => {
      const line = [...service.line, 'admin', 'trust', '--digests', digests, '--json'];
      const settings = {
        cwd: service.project,
        env: { ...service.env, ...env },
        detached: true,
        stdio: 'ignore',
      } as const;
      spawn(process.execPath, line, settings).once('exit', done);
    });
  const person = { SEKISHO_PERSON_TOKEN: token, SEKISHO_TOKEN: token };
  expect(await trust('0'.repeat(64), person)).toBe(0);
  expect((await serve(service)).told).toContain('is not trusted');
  expect(await trust(digest, {})).not.toBe(0);
  expect((await serve(service)).told).toContain('is not trusted');
  expect(await trust(digest, { SEKISHO_TOKEN: token })).toBe(0);
  expect((await serve(service)).names).toContain('execute_code');
});

test('the samples for clients start the service of the compose file', () => {
  const samples = [
    (JSON.parse(read('.mcp.json')) as Record<string, any>)['mcpServers'].penpot,
    (JSON.parse(read('.vscode/mcp.json')) as Record<string, any>)['servers'].penpot,
  ];
  for (const { command, args } of samples as { command: string; args: string[] }[]) {
    expect(command).toBe('docker');
    expect(args.slice(-4)).toEqual(['run', '--rm', '-T', 'proxy']);
    const file = args[args.indexOf('-f') + 1]?.replace('${workspaceFolder}/', '') ?? '';
    expect(existsSync(join(root, file)), file).toBe(true);
  }
});
