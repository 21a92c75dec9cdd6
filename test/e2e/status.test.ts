import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { atTerminal } from './terminal.ts';
import { type World, bin, inOneWorld, node } from './world.ts';

const fixtures = join(import.meta.dirname, '../fixtures/processes');
const install = (world: World, name: string) =>
  copyFileSync(join(fixtures, `${name}.yaml`), join(world.project, '.sekisho/processes', `${name}.yaml`));

describe('where a project stands', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test('one screen has project, rings, run, what is missing, what waits, agents, tasks and what to type, at any width', async ({
      world,
    }) => {
      install(world, 'checkpoint');
      const project = (
        await world.person(['admin', 'create-project', '--name', 'Site', '--working-directory', '.', '--json'])
      ).json;
      const made = [
        'admin',
        'create-task',
        '--project-id',
        String(project['project'].project_id),
        '--title',
        '題名の長いタスク',
        '--json',
      ];
      const task = String((await world.person(made)).json['task'].task_id);
      await world.person(['work', 'update-task-status', '--task-id', task, '--status', 'todo', '--json']);
      const run = String((await world.cli(['start', 'checkpoint', 'Ship', 'it', '--json'])).json['run_id']);
      for (const width of [40, 60, 80])
        for (const lang of ['en', 'ja']) {
          const { text } = await atTerminal(world, [], {
            env: { NO_COLOR: '1', SEKISHO_LANG: lang },
            shell: (own) => `stty cols ${width}; ${own} status; ${own} status --rings`,
          });
          for (const line of text.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
          expect(text).not.toMatch(/undefined|\[object|\n {4}at /);
          expect(text).toContain(run.slice(0, 17));
          expect(text).toContain('Ship it');
          expect(text).toMatch(/▶ \w+/);
          expect(text).toMatch(/#1 /);
          expect(text).toContain('sekisho submit');
          expect(text).toContain(lang === 'ja' ? '足りないもの' : 'missing:');
          expect(text).toContain(lang === 'ja' ? 'あなたを待っているものはありません' : 'nothing waits for you');
        }
      const { json, code } = await world.cli(['--json']);
      expect(code).toBe(0);
      expect(json).toMatchObject({
        ok: true,
        project: world.project,
        run: { run_id: run, title: 'Ship it', missing: expect.any(Array) as unknown },
        tasks: [{ task_id: task, title: '題名の長いタスク' }],
        agents: [],
        next: 'sekisho submit',
      });
      expect(json['run'].path).toContain(json['run'].state);
    });

    test('--watch shows what changes as it does', async ({ world }) => {
      install(world, 'checkpoint');
      const child = spawn(node, [bin, 'status', '--watch', '--json'], { cwd: world.project, env: world.env });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      const ended = new Promise((done) => child.once('exit', done));
      const latest = () => JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Record<string, any>;
      await until('the first line', () => out.endsWith('\n'), Boolean);
      expect(latest()).toMatchObject({ run: null, next: 'sekisho start' });
      const run = (await world.cli(['start', 'checkpoint', '--json'])).json['run_id'];
      await until('the run', () => out.endsWith('\n') && latest()['run']?.run_id === run, Boolean);
      child.kill('SIGINT');
      expect(await ended).toBe(0);
    });

    test('up says which projects it serves, their rings, what waits and where the dashboard is; blobs only when asked', async ({
      world,
    }) => {
      await world.cli(['init', '--client', 'claude', '--json']);
      rmSync(join(world.env['HOME'] ?? '', '.claude'), { recursive: true });
      const child = spawn(node, [bin, 'up', '--port', '0', '--lang', 'en'], { cwd: world.project, env: world.env });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      const ended = new Promise((done) => child.once('exit', done));
      await until('the greeting', () => out.includes('--print-config'), Boolean);
      for (const part of [world.project, 'nothing waits for you', 'sekisho open']) expect(out).toContain(part);
      // As `status` has them: tried, with what mends the one that is broken.
      expect(out).toMatch(/on: project, store, program, .*claude server/);
      expect(out).toMatch(/✗ ring 1 \(hooks\): off here for claude: [^✗]*→ sekisho init/);
      expect(out).not.toContain('mcpServers');
      child.kill('SIGINT');
      expect(await ended).toBe(0);
    });

    test('without words in a folder that is no project it offers init', async ({ world }) => {
      const folder = join(world.env['HOME'] ?? '', 'fresh');
      mkdirSync(folder);
      const fresh = { project: folder, env: { ...world.env, SEKISHO_DB: '' } };
      const told = await world.cli([], { cwd: folder, env: { SEKISHO_DB: '' } });
      expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('sekisho init') as unknown });
      const no = await atTerminal(fresh, [], { answers: { '[Y/n]': 'n' } });
      expect(no.code).toBe(0);
      expect(existsSync(join(folder, '.sekisho'))).toBe(false);
      const { json } = await world.cli(['status', '--json'], { cwd: folder, env: { SEKISHO_DB: '' } });
      expect(json['next']).toBe('sekisho init');
      // Its questions are those of `init`; Enter takes what it proposes.
      const enter = {
        'Which clients': '',
        'Which tools': '',
        'Which process': '',
        'What runs the tests': '',
        'Write these': '',
      };
      const yes = await atTerminal(fresh, [], { answers: { '[Y/n]': '', ...enter } });
      expect(yes.code, yes.text).toBe(0);
      expect(existsSync(join(folder, '.sekisho'))).toBe(true);
    });
  });
});
