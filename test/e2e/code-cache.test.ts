import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installPackage } from '../setup/installed.ts';

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
  const bin = installPackage(folder);
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    LOG_LEVEL: 'error',
    SEKISHO_TEST_RUN: process.env['SEKISHO_TEST_RUN'] ?? '',
  };
  const options = { cwd: folder, env };
  const cache = join(folder, 'dist/.cache');
  return {
    warmUp: () => spawnSync(process.execPath, [join(folder, 'bin/warm-up.cjs')], { env, encoding: 'utf8' }),
    run(...args: readonly string[]): void {
      const ended = spawnSync(process.execPath, [bin, ...args], {
        ...options,
        input: lines,
        encoding: 'utf8',
        timeout: 120_000,
      });
      expect(ended.status).toBe(0);
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
        (existsSync(cache) ? readdirSync(cache, { recursive: true, encoding: 'utf8' }) : [])
          .map((name) => [name, statSync(join(cache, name))] as const)
          .filter(([, found]) => found.isFile())
          .map(([name, { ino, mtimeMs }]) => [name, `${ino} ${mtimeMs}`]),
      ),
  };
}

test('a warm-up fills the cache; no server, command or daemon writes it, before or afterwards', async () => {
  const { run, serve, warmUp, kept } = install();
  const use = async () => {
    run('mcp');
    run('gate', 'list-runs', '--json');
    await serve();
  };
  await use();
  expect(kept()).toEqual({});
  expect(warmUp()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const filled = kept();
  for (const entry of ['cli', 'hook', 'host']) expect(Object.keys(filled).join(' ')).toMatch(`/${entry}.cjs-`);
  await use();
  expect(kept()).toEqual(filled);
});
