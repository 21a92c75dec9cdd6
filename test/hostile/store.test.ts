import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { type Message, envelope, initializeParams, rawHttp, rawServer } from '../e2e/raw.ts';
import { requires } from '../e2e/requirements.ts';
import { type World, bin, inOneWorld, node } from '../e2e/world.ts';
import { freshDatabase } from '../setup/database.ts';
import { lastingPort } from '../setup/port.ts';
import { personToken } from '../setup/person.ts';
import { row } from '../setup/security.ts';

/** Only root may mount; elsewhere these cases are seen in CI. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux';

interface Surfaces {
  /** The code that a write is refused with, by each way to write; a text where none came. */
  codes(): Promise<Readonly<Record<string, unknown>>>;
  /** The same for what only reads, beside the tools. */
  reads(): Promise<Readonly<Record<string, unknown>>>;
  /** What a hook says of a tool, to its client and to people. */
  hook(): Promise<string>;
}

const write = { name: 'create_group', arguments: { description: 'a write' } };

/** Servers of both kinds on one database, asked in both eras, and the short processes beside them. */
async function surfacesOn(world: World, db: string, lang = 'en'): Promise<Surfaces> {
  const env = { ...world.env, SEKISHO_DB: db, SEKISHO_LANG: lang };
  const legacy = await rawServer(world, [], env);
  await legacy.request('initialize', initializeParams('2025-11-25'));
  const modern = await rawServer(world, [], env);
  await modern.request('server/discover', { _meta: envelope });
  const daemon = spawn(node, [bin, 'up', '--port', '0', '--json'], { cwd: world.project, env });
  const line = await new Promise<string>((done) => createInterface({ input: daemon.stdout }).once('line', done));
  const { url, tokens } = JSON.parse(line) as { url: string; tokens: { agent: string } };
  const query = `?project=${encodeURIComponent(world.project)}`;
  const agentToken = readFileSync(tokens.agent, 'utf8').trim();
  const as = (token: string) => ({ Authorization: `Bearer ${token}` });
  const post = (body: object, headers: Record<string, string> = {}) =>
    rawHttp(`${url}/mcp${query}`, { headers: { ...as(agentToken), ...headers }, body });
  const opened = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initializeParams('2025-11-25') });
  const session = { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const modernHeaders = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': write.name };
  return {
    hook: () => hookOn(world, env),
    async reads() {
      const found: Record<string, unknown> = {};
      const uri = 'stategate://runs/run-1/summary';
      const asked = [
        ['resources/list', {}],
        ['resources/read', { uri }],
        ['prompts/get', { name: 'phase0' }],
      ] as const;
      for (const [method, params] of asked) {
        const withMeta = { ...params, _meta: envelope };
        const headers = { ...modernHeaders, 'Mcp-Method': method, 'Mcp-Name': Object.values(params)[0] ?? '' };
        found[`${method} stdio 2025`] = codeOfError(await legacy.request(method, params));
        found[`${method} stdio 2026`] = codeOfError(await modern.request(method, withMeta));
        found[`${method} http 2025`] = codeOfError((await post({ ...call, method, params }, session)).message);
        found[`${method} http 2026`] = codeOfError(
          (await post({ ...call, method, params: withMeta }, headers)).message,
        );
      }
      return found;
    },
    async codes() {
      const prompt = await rawHttp(`${url}/prompts/phase0${query}`, {
        method: 'PUT',
        headers: as(personToken),
        body: { content: 'text' },
      });
      const running = {
        'stdio 2025': codeIn(await legacy.request('tools/call', write)),
        'stdio 2026': codeIn(await modern.request('tools/call', { ...write, _meta: envelope })),
        'http 2025': codeIn((await post({ ...call, params: write }, session)).message),
        'http 2026': codeIn((await post({ ...call, params: { ...write, _meta: envelope } }, modernHeaders)).message),
        'prompt API': [prompt.message['error']?.code ?? prompt.text, prompt.status],
      };
      // Last: it makes a database where there is none.
      const cli = await world.cli(['fleet', 'create-group', '--description', 'a write', '--json'], { env });
      return { ...running, 'command line': [cli.json['code'] ?? cli.stderr, cli.code] };
    },
  };
}

async function hookOn(world: World, env: Readonly<Record<string, string>>): Promise<string> {
  const input = { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: {}, cwd: world.project };
  const asked = await world.cli(['hook', 'pre-tool-use', '--client', 'claude'], {
    env,
    input: JSON.stringify({ ...input, session_id: 's' }),
  });
  return asked.stdout + asked.stderr;
}

function codeIn(message: Message): unknown {
  const text = message['result']?.content?.[0]?.text as string | undefined;
  try {
    return (JSON.parse(text ?? '') as Message)['code'];
  } catch {
    return JSON.stringify(message);
  }
}

function codeOfError(message: Message): unknown {
  return message['error']?.data?.code ?? JSON.stringify(message);
}

const everywhere = (code: string, status = 503) => ({
  'stdio 2025': code,
  'stdio 2026': code,
  'http 2025': code,
  'http 2026': code,
  'command line': [code, 3],
  'prompt API': [code, status],
});

function disk(): { path: string; fill(): void; clear(): void } {
  const path = mkdtempSync(join(tmpdir(), 'sekisho-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', path]);
  onTestFinished(() => {
    execFileSync('umount', ['-A', '-l', path]);
    rmSync(path, { recursive: true });
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096'], { stdio: 'ignore' });
      } catch {
        // It ends because nothing more fits.
      }
    },
    clear: () => rmSync(filler),
  };
}

/** Something between us and the database that can go away. */
async function between(url: string): Promise<{ url: string; cut(): void }> {
  const { port, hostname } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const behind = connect(Number(port), hostname);
    for (const one of [socket, behind]) {
      open.add(one);
      one.on('error', () => undefined);
    }
    socket.pipe(behind).pipe(socket);
  });
  // Nobody else's, once it is cut.
  const near = await lastingPort();
  await new Promise<void>((done) => server.listen(near, '127.0.0.1', done));
  const cut = () => {
    server.close();
    for (const one of open) one.destroy();
  };
  onTestFinished(cut);
  const target = new URL(url);
  target.hostname = '127.0.0.1';
  target.port = String(near);
  return { url: target.href, cut };
}

describe(`${row('server.trouble', 'state.removed')} a store in trouble says so by its own code on every surface`, () => {
  inOneWorld('http', 'sqlite', (test) => {
    test.runIf(canMount)(requires('common.store.full'), async ({ world }) => {
      const { path, fill, clear } = disk();
      const db = join(path, 'store.db');
      copyFileSync(inject('templates').sqlite, db);
      const surfaces = await surfacesOn(world, db);
      await world.cli(['gate', 'create-run', '--process-id', 'release', '--json'], { env: { SEKISHO_DB: db } });
      fill();
      // What is left of a page that was begun takes a few more.
      for (let n = 0; n < 40 && !JSON.stringify(await surfaces.codes()).includes('STORE_FULL'); n += 1);
      expect(await surfaces.codes()).toEqual(everywhere('STORE_FULL', 507));
      expect(await surfaces.hook()).toMatch(/"deny".*The disk is full/);
      clear();
      expect(JSON.stringify(await surfaces.codes())).not.toContain('STORE_FULL');
    });

    test.runIf(canMount)(requires('common.store.read-only'), async ({ world }) => {
      const { path } = disk();
      const db = join(path, 'store.db');
      copyFileSync(inject('templates').sqlite, db);
      await world.cli(['gate', 'create-run', '--process-id', 'release', '--json'], { env: { SEKISHO_DB: db } });
      execFileSync('mount', ['-o', 'bind', path, path]);
      execFileSync('mount', ['-o', 'remount,bind,ro', path]);
      const env = { SEKISHO_DB: db };
      const legacy = await rawServer(world, [], env);
      await legacy.request('initialize', initializeParams('2025-11-25'));
      expect(codeIn(await legacy.request('tools/call', write))).toBe('STORE_READ_ONLY');
      const modern = await rawServer(world, [], env);
      await modern.request('server/discover', { _meta: envelope });
      expect(codeIn(await modern.request('tools/call', { ...write, _meta: envelope }))).toBe('STORE_READ_ONLY');
      expect(await hookOn(world, env)).toMatch(/"deny".*is read-only here/);
      const cli = await world.cli(['fleet', 'create-group', '--description', 'a write', '--json'], { env });
      expect([cli.code, cli.json['code']]).toEqual([3, 'STORE_READ_ONLY']);
      const up = await world.cli(['up', '--project', '.', '--port', '0'], { env: { ...env, SEKISHO_LANG: 'ja' } });
      expect([up.code, up.stderr]).toEqual([3, expect.stringContaining('読み取り専用')]);
    });

    test(requires('common.store.removed'), async ({ world }) => {
      const db = join(world.project, '..', 'other', 'store.db');
      mkdirSync(join(db, '..'));
      copyFileSync(inject('templates').sqlite, db);
      const surfaces = await surfacesOn(world, db);
      expect(JSON.stringify(await surfaces.codes())).not.toContain('STORE');
      rmSync(db);
      // The command line too, which had nothing open: it begins no other one by the same name.
      for (const _ of [1, 2]) expect(await surfaces.codes()).toEqual(everywhere('STORE_REMOVED'));
      expect(await surfaces.hook()).toMatch(/"deny".*somebody removed/);
      expect(existsSync(db)).toBe(false);
    });

    test(requires('common.store.away'), async ({ world }) => {
      const fresh = await freshDatabase(undefined, inject('templates').postgres);
      onTestFinished(() => fresh.drop());
      const link = await between(fresh.url);
      const surfaces = await surfacesOn(world, link.url, 'ja');
      expect(JSON.stringify(await surfaces.codes())).not.toContain('STORE');
      link.cut();
      expect(await surfaces.codes()).toEqual(everywhere('STORE_UNAVAILABLE'));
      const reads = await surfaces.reads();
      expect(Object.keys(reads).length).toBe(12);
      expect(reads).toEqual(Object.fromEntries(Object.keys(reads).map((one) => [one, 'STORE_UNAVAILABLE'])));
      expect(await surfaces.hook()).toMatch(/"deny".*データベース .* を使用できません/);
    });
  });
});
