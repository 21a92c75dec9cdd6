import { describe, expect } from 'vitest';
import { commandGroups } from '../../src/command/commands.ts';
import { atTerminal } from './terminal.ts';
import { inOneWorld } from './world.ts';

describe('the command line', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test('a pipe gets what a person gets, whole and without colours; --json gives the structured result', async ({
      world,
    }) => {
      const made = await world.cli(['start', 'exploration', 'Find out why']);
      expect(made.stdout).toMatch(/^run_id +run-[0-9a-f]{8}-[0-9a-f]{4}\n/);
      expect(made.stdout).not.toContain('\u001B');
      for (const line of ['start', 'log', 'gate list-runs', 'ps', 'fleet watch --once', 'runner --once']) {
        const piped = await world.cli(line.split(' '));
        expect([line, piped.json], piped.stderr).toEqual([line, {}]);
        for (const sign of ['…', '\u001B']) expect(piped.stdout, line).not.toContain(sign);
        expect((await world.cli([...line.split(' '), '--json'])).json, line).not.toEqual({});
      }
    });

    test('a failure with --json is one shape, whatever failed, and the exit code stays', async ({ world }) => {
      const failures: readonly (readonly [line: string, exit: number, code: string])[] = [
        ['gate get-state --run-id run-none', 1, 'RUN_NOT_FOUND'],
        ['work get-task --task-id none', 1, 'TASK_NOT_FOUND'],
        ['fleet get-agent-status --agent-id none', 1, 'AGENT_NOT_FOUND'],
        ['token list', 1, 'FORBIDDEN'],
        ['gate list-runs --nope', 2, 'WRONG_USE'],
        ['frobnicate', 2, 'UNKNOWN_COMMAND'],
        ['run', 2, 'PROGRAM_MISSING'],
        ['mcp --toolsets nope', 2, 'BAD_CONFIGURATION'],
      ];
      for (const [line, exit, name] of failures) {
        const { code, json, stderr } = await world.cli([...line.split(' '), '--json']);
        expect([line, code, json['code'], typeof json['message']], stderr).toEqual([line, exit, name, 'string']);
        expect(Object.keys(json).filter((key) => !['code', 'message', 'details'].includes(key))).toEqual([]);
      }
      expect((await world.cli(['run'])).stderr).toContain('sekisho run claude');
      expect((await world.cli(['mcp', '--toolsets', 'nope'])).stderr).toContain('gate, upstream, fleet, work');
    });

    test('no id is cut at 80 columns', async ({ world }) => {
      const { text } = await atTerminal(world, [], {
        env: { NO_COLOR: '1' },
        shell: (own) => `stty cols 80; ${own} start`,
      });
      expect(text).toContain('explore-plan-implement-verify');
    });

    test('ids that were made together have short forms of their own, and each is accepted', async ({ world }) => {
      const { json: project, stdout } = await world.person([
        'admin',
        'create-project',
        '--name',
        'p',
        '--working-directory',
        world.project,
        '--json',
      ]);
      expect(project['project_id'], stdout).toBeTypeOf('string');
      const tasks = JSON.stringify(['a', 'b', 'c', 'd', 'e'].map((title) => ({ title })));
      const line = ['admin', 'create-tasks', '--project-id', String(project['project_id']), '--tasks', tasks, '--json'];
      const created = await world.person(line);
      expect(created.code, created.stdout).toBe(0);
      const listed = (await world.cli(['work', 'list-tasks'])).stdout;
      const short = listed.match(/tsk_[0-9a-f-]+/g) ?? [];
      expect(new Set(short).size, listed).toBe(5);
      const found = await Promise.all(
        short.map(async (id) => (await world.cli(['work', 'get-task', '--task-id', id, '--json'])).json),
      );
      expect(new Set(found.map((one) => one['task']?.task_id)).size, JSON.stringify(found[0])).toBe(5);
      const all = (await world.cli(['tasks', '--json'])).json['tasks'] as readonly { task_id: string }[];
      const ambiguous = await world.cli(['work', 'get-task', '--task-id', all[0]!.task_id.slice(0, 9)]);
      expect(ambiguous.stderr).toContain('ID_AMBIGUOUS');
      expect(new Set(ambiguous.stderr.split('\n')[0]?.match(/tsk_[0-9a-f-]{8,}/g)).size).toBe(5);
    });

    test('gate use takes a short id', async ({ world }) => {
      const { json } = await world.cli(['gate', 'create-run', '--process-id', 'exploration', '--json']);
      const used = await world.person(['gate', 'use', String(json['run_id']).slice(0, 17), '--json']);
      expect(used).toMatchObject({ code: 0, json: { run_id: json['run_id'] } });
    });

    test('help begins with the commands of every day, in groups; deprecated commands are not listed but work', async ({
      world,
    }) => {
      const { stdout } = await world.cli(['--help']);
      const titles = commandGroups.map((one) => stdout.indexOf(`\n${one.title.en}\n`));
      expect(titles).toEqual(titles.toSorted((a, b) => a - b));
      expect(titles[0]).toBeGreaterThan(0);
      expect((await world.cli(['work', '--help'])).stdout).not.toContain('get-pending-tasks');
      const old = await world.cli(['work', 'get-pending-tasks', '--session-token', 'none']);
      expect(old.stderr).toContain('Use instead: sekisho work get-my-task');
    });
  });
});
