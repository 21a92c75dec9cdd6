import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { type World, inOneWorld } from './world.ts';

/** Some forty programs, several at a time. */
vi.setConfig({ testTimeout: 180_000 });

const root = join(import.meta.dirname, '../..');
const missing = getBubblewrap();

/** The last column of every row, by the row's id. */
function commandsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = readFileSync(join(root, page), 'utf8').matchAll(
    /^\| `(?<id>[a-z]+\.[a-z-]+)` \|.* \| (?<last>.*) \|$/gm,
  );
  return new Map(
    [...rows].map(({ groups = {} }) => [
      groups['id'] ?? '',
      [...(groups['last'] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
    ]),
  );
}

const page = commandsOf('SECURITY.md');
const commands = [...new Set([...page.values()].flat())].filter(
  (one) => missing === undefined || !one.startsWith('sekisho run'),
);

/** What a reader has of their own where the page says `…`, and the daemon's address. */
async function filled(world: World, command: string): Promise<string> {
  const { url } = await world.daemon();
  const own = command.includes('--head')
    ? ((await world.cli(['journal', 'verify', '--json'])).json['head'] as string)
    : command.includes('--project')
      ? join(world.project, '../other')
      : 'asking';
  return command.replace('…', own).replace('http://127.0.0.1:9696', url);
}

function typed(world: World, command: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; said: string }>((done) => {
    const child = spawn('bash', ['-c', command], {
      cwd: world.project,
      env: { ...world.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    child.once('close', (code) => done({ code, said }));
  });
}

describe('what the page says one can type', () => {
  inOneWorld('http', 'sqlite', (inWorld) => {
    inWorld('every command of the last column runs as it is written', async ({ world }) => {
      world.write('package.json', '{ "name": "app", "private": true, "scripts": { "test": "true" } }\n');
      world.write(
        '.sekisho/processes/asking.yaml',
        'id: asking\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }]\nevents: [{ name: go }]\nguards: { yes: { type: context, variable: approved, condition: equals, value: true } }\ntransitions: [{ from: a, event: go, to: b, guard: yes }]\n',
      );
      mkdirSync(join(world.project, '../other'));
      await world.cli(['start', 'explore-plan-implement-verify', 'x', '--json']);
      const programs = join(world.project, '../programs');
      mkdirSync(programs);
      writeFileSync(join(programs, 'sekisho'), `#!/bin/sh\nexec "${process.execPath}" "${root}/bin/sekisho" "$@"\n`);
      copyFileSync(join(import.meta.dirname, '../fixtures/sandbox/claude.mjs'), join(programs, 'claude'));
      for (const name of ['sekisho', 'claude']) chmodSync(join(programs, name), 0o755);
      const env = { PATH: `${programs}:${world.env['PATH'] ?? ''}` };
      // `sekisho up` would go on for ever, unless a daemon runs already.
      await world.daemon();
      const waiting = [...commands];
      const wrong: unknown[] = [];
      const work = async () => {
        for (let command = waiting.pop(); command !== undefined; command = waiting.pop()) {
          const { code, said } = await typed(world, await filled(world, command), env);
          if (![0, 1].includes(code ?? -1) || /There is no command|expected \w+, received undefined/.test(said))
            wrong.push({ command, code, said });
        }
      };
      await Promise.all([work(), work()]);
      expect(wrong).toEqual([]);
    });
  });

  test('the Japanese page has the same', () => {
    expect(page.size).toBeGreaterThan(70);
    expect([...page.values()].filter((one) => one.length === 0)).toEqual([]);
    expect(commandsOf('docs/ja/security.md')).toEqual(page);
  });
});
