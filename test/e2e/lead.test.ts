import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { changesQuery, taskOwner, toChange } from '../../src/change/index.ts';
import { openFoundStore } from '../../src/store/open-found.ts';
import { databases } from '../setup/databases.ts';
import { hostsOf } from './fleet-world.ts';
import { runnerPlace } from './runner-world.ts';
import { openOffice } from './work-world.ts';
import { type CommandOutcome, type World, inOneWorld, node } from './world.ts';

/** A day of a lead: six tasks, two with shipped processes, three agents, one Runner. */

const agentProgram = join(import.meta.dirname, '../fixtures/agents/lead.mjs');
const filler = 'It was read from end to end, and this line is here because a note of three words explains nothing. ';
const note = (...headings: readonly string[]) => headings.map((one) => `${one}\n${filler}\n`).join('\n');
const testOf = (name: string, call: string, result: number) =>
  `import assert from 'node:assert';\nimport { ${name} } from '../src/${name}.mjs';\nassert.equal(${name}(${call}), ${result});\n`;

/** Files of the project. Its check needs what the set-up of a tree makes; `sub` is wrong, and no test says so yet. */
const files: Readonly<Record<string, string>> = {
  '.gitignore': '.sekisho/*.db*\ndeps/\n',
  'setup.mjs': `import { appendFileSync, mkdirSync } from 'node:fs';\nmkdirSync('deps', { recursive: true });\nappendFileSync('deps/ready', 'once\\n');\n`,
  'check.mjs': `import { existsSync, readdirSync } from 'node:fs';\nif (!existsSync('deps/ready')) throw new Error('no dependencies');\nfor (const name of readdirSync('test')) await import(\`./test/\${name}\`);\n`,
  'src/add.mjs': 'export const add = (a, b) => a + b;\n',
  'src/sub.mjs': 'export const sub = (a, b) => a + b;\n',
  'test/add.test.mjs': testOf('add', '1, 2', 3),
};

function plant(world: World): (...args: readonly string[]) => string {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Lea', '-c', 'user.email=lea@example.org', ...args], {
      cwd: world.project,
      encoding: 'utf8',
    }).trim();
  const config = {
    sandbox: 'off',
    test: [node, 'check.mjs'],
    fleet: { isolation: 'worktree' },
    worktree: { setup: [node, 'setup.mjs'] },
  };
  world.write('.sekisho/config.yaml', JSON.stringify(config));
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'start');
  return git;
}

const eventsOf = ({ stdout }: CommandOutcome) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, any>);

describe.each(databases)('a lead, three agents and six tasks (%s)', (database) => {
  inOneWorld('stdio', database, (test) => {
    test('every run moves on evidence of its own tree, and what is stuck says why', async ({ world }) => {
      const git = plant(world);
      const start = git('rev-parse', 'HEAD');
      const signals = join(world.project, '..', 'signals');
      mkdirSync(signals);
      const signal = (name: string) => join(signals, name);
      const placeOf = (name: string) => JSON.parse(readFileSync(signal(name), 'utf8')) as Record<string, string>;
      const office = await openOffice(world);
      const project = await office.project('Web');
      const ann = await office.agent('Ann', project);
      const bob = await office.agent('Bob', project);
      const cyd = await office.agent('Cyd', project);
      const give = (title: string, steps: Readonly<Record<string, readonly object[]>>, more: object) =>
        office.task(project, title, 'todo', { description: JSON.stringify(steps), ...more });

      const multiply = await give(
        'Multiply',
        {
          [ann.id]: [
            // By now a neighbour has an exploration.md and broken files in its tree.
            { until: signal('obeyed') },
            { emit: 'submit_exploration', files: ['exploration.md'], refused: 'exploration.md' },
            { write: { 'exploration.md': note('# What is there') } },
            { emit: 'submit_exploration', files: ['exploration.md'] },
            { write: { 'plan.md': note('## Steps', '## Checks') } },
            { emit: 'submit_plan', files: ['plan.md'] },
            { write: { 'src/mul.mjs': 'export const mul = (a, b) => a * b;\n' } },
            { signal: signal('planned') },
            { handoff: bob.id },
          ],
          [bob.id]: [
            { signal: signal('continued') },
            { write: { 'test/mul.test.mjs': testOf('mul', '2, 3', 6), 'changes.md': note('# What was changed') } },
            { emit: 'submit_changes', files: ['changes.md'] },
            { emit: 'verify' },
            { report: 'success' },
          ],
        },
        { assignee_id: ann.id, priority: 'high', process_id: 'explore-plan-implement-verify' },
      );
      const crash = await give(
        'Crash',
        { [ann.id]: [{ write: { 'partial.txt': 'half\n' } }, { exit: 3 }] },
        { assignee_id: ann.id },
      );
      const behind = await give(
        'Behind',
        { [bob.id]: [{ write: { 'behind.txt': 'at last\n' } }, { report: 'success' }] },
        { assignee_id: bob.id, depends_on: [crash] },
      );
      const untidy = await give(
        'Untidy',
        {
          [bob.id]: [
            { write: { 'src/committed.mjs': 'export {};\n' } },
            { commit: 'one of three' },
            { write: { 'src/add.mjs': `// Edited.\n${files['src/add.mjs']}`, 'left/deep/new.txt': 'left\n' } },
            { signal: signal('untidy') },
            { until: signal('planned') },
            { report: 'success' },
          ],
        },
        { assignee_id: bob.id, priority: 'high' },
      );
      const obedient = await give(
        'Obedient',
        {
          [cyd.id]: [
            { obey: true },
            {
              write: {
                'exploration.md': note('# Of another task'),
                'src/sub.mjs': 'export const sub = () => NaN;\n',
                'test/sub.test.mjs': testOf('sub', '3, 2', 1),
              },
            },
            { commit: 'where I was told' },
            { signal: signal('obeyed') },
            { until: signal('planned') },
            { report: 'success' },
          ],
        },
        { assignee_id: cyd.id, priority: 'high' },
      );
      const repair = await give(
        'Repair',
        {
          [cyd.id]: [
            { signal: signal('repairing') },
            // A test fails in the tree of a neighbour, but none does in this one.
            { write: { 'reproduction.md': note('## Fault', '## Cause') } },
            { emit: 'submit_reproduction', files: ['reproduction.md'], refused: 'tests_pass' },
            { write: { 'test/sub.test.mjs': testOf('sub', '3, 2', 1) } },
            { emit: 'submit_reproduction', files: ['reproduction.md'] },
            { write: { 'src/sub.mjs': 'export const sub = (a, b) => a - b;\n' } },
            { emit: 'submit_fix' },
            { report: 'success' },
          ],
        },
        { assignee_id: cyd.id, process_id: 'bug-fix' },
      );

      const folder = await runnerPlace(world, 'runner', [ann, bob, cyd], {
        commands: { scripted: [node, agentProgram] },
      });
      const instances: string[] = [];
      /** Runs a Runner until nothing can continue; how often it started each agent. */
      const runAll = async () => {
        const outcome = await world.cli(['runner', '--until-idle', '--json'], { cwd: folder });
        const events = eventsOf(outcome);
        const started = events.filter((one) => one['event'] === 'started');
        instances.push(...started.map((one) => one['instance'] as string));
        return { code: outcome.code, events, started: started.map((one) => one['agentId'] as string).toSorted() };
      };

      const first = await runAll();
      const six = [multiply, crash, behind, untidy, obedient, repair];
      const statuses = async () => Promise.all(six.map(async (task) => (await office.read(task))['status'] as string));
      expect(await statuses()).toEqual(['done', 'blocked', 'todo', 'done', 'done', 'in_progress']);
      // The crashing one three times, the one that was handed over by two agents, all others once.
      expect(first.started).toEqual([ann, ann, ann, ann, bob, bob, cyd, cyd].map((one) => one.id).toSorted());
      expect(first.events.at(-1)).toMatchObject({ event: 'idle', reason: '1 blocked, 1 waits for it: sekisho tasks' });
      expect(first.code).toBe(1);
      expect(await office.read(crash)).toMatchObject({ attempts: 3, claimed_by: null });
      expect((await office.read(crash))['summary']).toMatch(/^3 attempts failed; the last: .*3/);
      expect(await office.read(repair)).toMatchObject({ reported: 'success', attempts: 0, claimed_by: null });
      const { waits } = (await world.call('list_waits', {})).value;
      expect(waits).toMatchObject([{ agent_id: cyd.id, task_id: repair, for: 'person' }]);

      // Nothing is tried again, however often a Runner looks.
      const second = await runAll();
      expect(second).toMatchObject({ code: 1, started: [] });

      const { run_id: repairRun } = await office.read(repair);
      const approved = await world.person(['admin', 'approve', '--run-id', repairRun, '--json']);
      expect(approved.json).toMatchObject({ is_final: true, moved: true });
      expect(await office.read(repair)).toMatchObject({ status: 'done', run_id: repairRun });

      await office.move(crash, 'cancelled');
      expect(await runAll()).toMatchObject({ code: 0, started: [bob.id] });
      expect(await statuses()).toEqual(['done', 'cancelled', 'done', 'done', 'done', 'done']);

      const store = await openFoundStore(world.db);
      try {
        const changeOf = async (task: string) => {
          const [[row] = []] = await store.read([changesQuery([taskOwner(task)])]);
          if (row === undefined) throw new Error(`task ${task} has no change`);
          return toChange(row);
        };
        const expected: readonly [string, string, readonly string[]][] = [
          [multiply, 'sekisho/web-1-multiply', ['src/mul.mjs', 'test/mul.test.mjs']],
          [crash, 'sekisho/web-2-crash', ['partial.txt']],
          [behind, 'sekisho/web-3-behind', ['behind.txt']],
          [untidy, 'sekisho/web-4-untidy', ['left/deep/new.txt', 'src/add.mjs', 'src/committed.mjs']],
          [obedient, 'sekisho/web-5-obedient', ['exploration.md', 'src/sub.mjs', 'test/sub.test.mjs']],
          [repair, 'sekisho/web-6-repair', ['src/sub.mjs', 'test/sub.test.mjs']],
        ];
        const changes = [];
        for (const [task, branch, paths] of expected) {
          const change = await changeOf(task);
          changes.push(change);
          expect(change).toMatchObject({ branch, base: start, target: 'main', state: 'open', files: paths.length });
          const { head, additions, deletions } = change;
          expect(git('rev-parse', branch)).toBe(head);
          const shown = { change_id: change.id, branch, commit: head, files: paths.length, additions, deletions };
          expect((await office.read(task))['change']).toMatchObject(shown);
          expect(git('diff', '--name-only', start, branch).split('\n')).toEqual(paths);
          expect(git('log', '--format=%(trailers:key=Sekisho-Task,valueonly,separator=)', `main..${branch}`)).toContain(
            task,
          );
          expect(readFileSync(join(change.path, 'deps/ready'), 'utf8')).toBe('once\n');
        }

        // Each was told one folder, and it is its tree.
        const treeOf = async (task: string) => (await changeOf(task)).path;
        for (const [name, task] of [
          ['planned', multiply],
          ['continued', multiply],
          ['untidy', untidy],
          ['obeyed', obedient],
          ['repairing', repair],
        ] as const) {
          const tree = await treeOf(task);
          expect(placeOf(name)).toMatchObject({ prompt: tree, told: tree, cwd: tree });
        }
        expect(placeOf('continued')['run']).toBe(placeOf('planned')['run']);
        for (const task of [multiply, repair]) {
          const { run_id: run } = await office.read(task);
          const [rows = []] = await store.read([{ sql: 'select tree from run where id = :run', args: { run } }]);
          expect(rows).toEqual([{ tree: await treeOf(task) }]);
        }
        // Papers stay in the tree.
        expect(existsSync(join(await treeOf(multiply), 'plan.md'))).toBe(true);
        expect(existsSync(join(await treeOf(repair), 'reproduction.md'))).toBe(true);

        expect(git('status', '--porcelain')).toBe('');
        expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main');
        expect(git('rev-parse', 'HEAD')).toBe(start);

        // Nothing is left but trees and branches of open changes.
        const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
        expect(branches.toSorted()).toEqual(['main', ...changes.map((one) => one.branch)].toSorted());
        const trees = readdirSync(world.place.worktrees).map((name) => join(world.place.worktrees, name));
        expect(trees.toSorted()).toEqual(changes.map((one) => one.path).toSorted());
        expect(git('for-each-ref', 'refs/sekisho/new')).toBe('');
        const [claims, sessions] = await store.read([
          { sql: 'select agent_id from work_assignment where claim is not null or session is not null', args: {} },
          { sql: 'select agent_id from work_session where ended_at is null', args: {} },
        ]);
        expect([claims, sessions]).toEqual([[], []]);
        expect(new Set(instances).size).toBe(9);
        for (const instance of instances) {
          expect(hostsOf(instance)).toEqual([]);
          for (const name of readdirSync(join(world.place.state, 'agents', instance)))
            expect(name).toMatch(/^output-\d+\.log$/);
        }
      } finally {
        await store.close();
      }
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({ ok: true });
    });
  });
});
