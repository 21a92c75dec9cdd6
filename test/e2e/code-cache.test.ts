import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

const greeting = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'tools/call', params: { name: 'state_gate.list_runs', arguments: {} } },
];
const lines = greeting.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

/** The program by itself, without what it compiled before. */
function install() {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['bin', 'dist', 'processes', 'prompts', 'package.json'])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !['.cache', 'web'].includes(basename(path)),
    });
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    LOG_LEVEL: 'error',
    SEKISHO_TEST_RUN: process.env['SEKISHO_TEST_RUN'] ?? '',
  };
  const options = { cwd: folder, env };
  const bin = join(folder, 'bin/sekisho');
  return {
    run(...args: readonly string[]): string {
      const ended = spawnSync(process.execPath, [bin, ...args], {
        ...options,
        input: lines,
        encoding: 'utf8',
        timeout: 120_000,
      });
      expect(ended.status).toBe(0);
      return ended.stdout;
    },
    /** A daemon from its start to its end. */
    async serve(): Promise<void> {
      const daemon = spawn(process.execPath, [bin, 'up', '--port', '0', '--json'], {
        ...options,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      onTestFinished(() => void daemon.kill('SIGKILL'));
      await once(daemon.stdout, 'data');
      daemon.kill('SIGTERM');
      await once(daemon, 'exit');
    },
    /** What is kept; a file that is written anew is another one. */
    kept: () =>
      Object.fromEntries(
        readdirSync(join(folder, 'dist/.cache'), { recursive: true, encoding: 'utf8' })
          .map((name) => [name, statSync(join(folder, 'dist/.cache', name))] as const)
          .filter(([, found]) => found.isFile())
          .map(([name, { ino, mtimeMs }]) => [name, `${ino} ${mtimeMs}`]),
      ),
  };
}

test('what a server, a command and a daemon compiled the next one takes, and none takes anything away from another', async () => {
  const { run, serve, kept } = install();
  expect(run('mcp')).toContain('"id":3');
  const first = kept();
  expect(Object.keys(first).length).toBeGreaterThan(3);
  run('mcp');
  expect(kept()).toEqual(first);
  run('gate', 'list-runs', '--json');
  await serve();
  const all = kept();
  expect(all).toMatchObject(first);
  run('mcp');
  run('gate', 'list-runs', '--json');
  await serve();
  expect(kept()).toEqual(all);
});
