import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** What a server does after five seconds comes before anything of it is loaded. */
const hurrying = `const later = setTimeout;
let hurried = false;
globalThis.setTimeout = (work, ms, ...rest) => {
  if (hurried || ms !== 5000) return later(work, ms, ...rest);
  hurried = true;
  work();
  return later(() => {}, 0);
};
`;

/** The program by itself, without what it compiled before. */
function install(hurries: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['bin', 'dist', 'processes', 'prompts', 'package.json'])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !['.cache', 'web'].includes(basename(path)),
    });
  const hurry = join(folder, 'hurry.cjs');
  writeFileSync(hurry, hurrying);
  const start = (...args: readonly string[]) => {
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      SEKISHO_TEST_RUN: process.env['SEKISHO_TEST_RUN'] ?? '',
      XDG_DATA_HOME: join(folder, 'data'),
      LOG_LEVEL: 'error',
      ...(hurries && { NODE_OPTIONS: `--require ${hurry}` }),
    };
    const ended = spawnSync(process.execPath, [join(folder, 'bin/sekisho'), ...args], {
      cwd: folder,
      env,
      input: lines,
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(ended.status).toBe(0);
    return ended.stdout;
  };
  /** What is kept; a file that is written anew is another one. */
  const kept = () =>
    Object.fromEntries(
      readdirSync(join(folder, 'dist/.cache'), { recursive: true, encoding: 'utf8' })
        .map((name) => [name, statSync(join(folder, 'dist/.cache', name))] as const)
        .filter(([, found]) => found.isFile())
        .map(([name, { ino, mtimeMs }]) => [name, `${ino} ${mtimeMs}`]),
    );
  return { start, kept };
}

test.each([
  { when: 'at its start', hurries: false },
  { when: 'when it has lived for a while', hurries: true },
])('what a server compiled $when the next one takes, and a command takes nothing away from it', ({ hurries }) => {
  const { start, kept } = install(hurries);
  expect(start('mcp')).toContain('"id":3');
  const first = kept();
  expect(Object.keys(first).length).toBeGreaterThan(3);
  start('mcp');
  expect(kept()).toEqual(first);
  start('gate', 'list-runs', '--json');
  const both = kept();
  start('mcp');
  start('gate', 'list-runs', '--json');
  expect(kept()).toEqual(both);
  expect(both).toMatchObject(first);
});
