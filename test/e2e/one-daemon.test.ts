import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { until } from '../setup/until.ts';
import { type World, bin, inOneWorld, node } from './world.ts';

const fileOf = (world: World) => join(world.place.data.state, 'daemon.json');
const recordOf = (world: World) =>
  JSON.parse(readFileSync(fileOf(world), 'utf8')) as { url: string; pid: number; start: string };
const answers = async (url: string) => (await fetch(`${url}/health`).catch(() => undefined))?.ok === true;

/** A program of another kind, which answers everything. */
async function listen(): Promise<{ readonly url: string; readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, asked };
}

function start(world: World): { readonly child: ChildProcess; readonly errors: Promise<string> } {
  const child = spawn(node, [bin, 'up', '--port', '0'], {
    cwd: world.project,
    env: world.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { child, errors: text(child.stderr) };
}

inOneWorld('http', 'sqlite', (test) => {
  test('a second up says where the daemon runs, leaves it alone, and down ends the first', async ({ world }) => {
    const { url, process: first } = await world.daemon();
    for (const port of [new URL(url).port, '0']) {
      const second = await world.cli(['up', '--port', port]);
      expect({ code: second.code, stdout: second.stdout }, second.stderr).toEqual({ code: 1, stdout: '' });
      expect(second.stderr).toContain(url);
      expect(second.stderr).toContain(String(first.pid));
      expect(second.stderr).toContain('sekisho down');
    }
    const japanese = await world.cli(['up', '--port', '0', '--lang', 'ja']);
    expect(japanese.stderr).toMatch(/デーモンは既に.*動いています/);
    const behind = await world.cli(['up', '--background', '--port', '0', '--json']);
    expect(behind.json).toMatchObject({ started: false, url });
    expect(recordOf(world)).toMatchObject({ url, pid: first.pid });
    expect(await answers(url)).toBe(true);
    const gone = once(first, 'exit');
    expect((await world.cli(['down', '--json'])).json).toEqual({ stopped: true });
    await gone;
    expect(await answers(url)).toBe(false);
    expect(existsSync(fileOf(world))).toBe(false);
  });

  test('of several daemons that start at the same moment, exactly one runs', async ({ world }) => {
    const started = Array.from({ length: 4 }, () => start(world));
    const ended = () => started.filter(({ child }) => child.exitCode !== null);
    await until('all but one have ended', () => ended().length === started.length - 1);
    const winner = started.find(({ child }) => child.exitCode === null);
    const { url, pid } = recordOf(world);
    expect(pid).toBe(winner?.child.pid);
    expect(await answers(url)).toBe(true);
    for (const { child, errors } of ended()) {
      expect(child.exitCode, await errors).toBe(1);
      expect(await errors).toContain(`${url} (process ${pid})`);
    }
  });

  test('several commands that need a daemon at the same moment share the one that comes up', async ({ world }) => {
    const port = { SEKISHO_HTTP_PORT: '0' };
    const opened = await Promise.all([0, 1, 2].map(() => world.person(['open', '--print', '--json'], { env: port })));
    const origins = opened.map(({ json, stderr }) => {
      expect(json['link'], stderr).toBeDefined();
      return new URL(String(json['link'])).origin;
    });
    expect(new Set(origins)).toEqual(new Set([recordOf(world).url]));
  });

  test('after kill -9 the next daemon starts at once and replaces the record', async ({ world }) => {
    const { process: first } = await world.daemon();
    const gone = once(first, 'exit');
    first.kill('SIGKILL');
    await gone;
    expect(recordOf(world).pid).toBe(first.pid);
    expect((await world.cli(['down', '--json'])).json).toEqual({ stopped: false });
    const next = await world.cli(['up', '--background', '--port', '0', '--json']);
    expect(next.json, next.stderr).toMatchObject({ started: true });
    expect(recordOf(world).pid).not.toBe(first.pid);
    expect((await world.cli(['down', '--json'])).json).toEqual({ stopped: true });
  });

  test('a record whose process is another one by now is replaced, and neither it nor its address is touched', async ({
    world,
  }) => {
    const other = await listen();
    // This process has the recorded id, but began at another time.
    writeFileSync(fileOf(world), JSON.stringify({ url: other.url, pid: process.pid, start: 'long ago' }));
    expect((await world.cli(['down', '--json'])).json).toEqual({ stopped: false });
    const up = await world.cli(['up', '--background', '--port', '0', '--json']);
    expect(up.json, up.stderr).toMatchObject({ started: true });
    expect(recordOf(world).url).toBe(up.json['url']);
    expect(up.json['url']).not.toBe(other.url);
    expect(other.asked).toEqual([]);
  });

  test('up waits for a daemon that is just ending', async ({ world }) => {
    const { process: first } = await world.daemon();
    const gone = once(first, 'exit');
    first.kill('SIGTERM');
    const next = await world.cli(['up', '--background', '--port', '0', '--json']);
    await gone;
    expect(next.json, next.stderr).toMatchObject({ started: true });
    expect(await answers(String(next.json['url']))).toBe(true);
  });

  test('up refuses a taken port at once, in the background too, and names who has it', async ({ world }) => {
    const { port } = await listen();
    for (const more of [[], ['--background']]) {
      const up = await world.cli(['up', ...more, '--port', String(port)]);
      expect({ code: up.code, stdout: up.stdout }, up.stderr).toEqual({ code: 3, stdout: '' });
      expect(up.stderr).toContain(`127.0.0.1:${port}`);
      expect(up.stderr).toContain('--port');
      if (process.platform === 'linux') expect(up.stderr).toContain(`process ${process.pid}`);
    }
  });

  test('open takes a free port instead of a taken one, says so, and everything finds the daemon there', async ({
    world,
  }) => {
    const { port, asked } = await listen();
    const env = { SEKISHO_HTTP_PORT: String(port) };
    const opened = await world.person(['open', '--print', '--json'], { env });
    expect(opened.code, opened.stderr).toBe(0);
    const { url } = recordOf(world);
    expect(String(opened.json['link'])).toMatch(new RegExp(`^${url}/`));
    expect(new URL(url).port).not.toBe(String(port));
    for (const part of [url, `127.0.0.1:${port}`, 'http.port']) expect(opened.stderr).toContain(part);
    // It runs already: there is nothing to say any more.
    const again = await world.person(['open', '--print', '--lang', 'ja'], { env });
    expect(again.stdout).toContain(url);
    expect(again.stderr).not.toContain(String(port));
    expect((await world.cli(['up', '--background', '--json'], { env })).json).toMatchObject({ started: false, url });
    expect((await world.cli(['down', '--json'], { env })).json).toEqual({ stopped: true });
    expect(await answers(url)).toBe(false);
    expect(asked).toEqual([]);
  });

  test('a daemon that cannot start in the background says why', async ({ world }) => {
    const up = await world.cli(['up', '--background', '--host', 'no.such.host.invalid', '--port', '0']);
    expect(up.code).toBe(3);
    expect(up.stderr).toContain('no.such.host.invalid');
    expect(up.stderr).toContain('daemon.log');
  });
});
