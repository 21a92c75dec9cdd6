import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { personToken } from '../setup/person.ts';
import { requires } from './requirements.ts';
import { openOffice } from './work-world.ts';
import { type World, bin, inOneWorld, node, otherMachine } from './world.ts';

const definition = `process: { id: reviewed, version: "1", name: Reviewed, initial_state: work }
states: [{ name: work }, { name: review }, { name: done, is_final: true }]
events:
  - { name: submit, allowed_roles: [agent] }
  - { name: approve, allowed_roles: [reviewer] }
transitions:
  - { from: work, event: submit, to: review, guards: [has_note, only_notes] }
  - { from: review, event: approve, to: done, guards: [approved, nothing_changed] }
guards:
  has_note: { type: artifact, artifact_type: note, condition: exists }
  only_notes: { type: worktree, changed_only: ["*.md"] }
  approved: { type: approval, role: reviewer, difference: true }
  nothing_changed: { type: worktree, unchanged: ["**"] }
artifacts: [{ type: note, path: note.md, land: false }]
`;

const deadlineMs = 10_000;

function setUp(world: World): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: world.project });
  world.write('.sekisho/processes/reviewed.yaml', definition);
  world.write('code.ts', 'one\n');
  git('init', '-q');
  git('add', 'code.ts');
  git('commit', '-qm', 'first');
}

const stateOf = async (world: World, run: string) =>
  (await world.call('state_gate.get_state', { run_id: run })).value['current_state'] as string;

async function submit(world: World, run: string, cwd = world.project) {
  const at = ['--expected-revision', '0', '--idempotency-key', 'k', '--artifact-paths', 'note.md'];
  return world.cli(['gate', 'emit-event', '--run-id', run, '--event-name', 'submit', ...at, '--json'], { cwd });
}

describe.each(['sqlite', 'postgres'] as const)('where the files of a run are (%s)', (database) => {
  inOneWorld('stdio', database, (test) => {
    test(requires('work.process.tree'), async ({ world }) => {
      setUp(world);
      const office = await openOffice(world);
      const project = await office.project('p');
      const hire = async (name: string) => {
        const tree = join(world.project, '..', name);
        execFileSync('git', ['worktree', 'add', '-q', '-b', name, tree], { cwd: world.project });
        const agent = await office.agent(name, project);
        const more = { process_id: 'reviewed', assignee_id: agent.id };
        const task = await office.task(project, `Task of ${name}`, 'in_progress', more);
        return { tree, task, token: await office.login(agent, project), run: (await office.read(task))['run_id'] };
      };
      const both = [await hire('ann'), await hire('bea')];
      // A note that lies in the main checkout is nobody's, and no agent has taken the tasks.
      world.write('note.md', 'somebody else’s note\n');
      for (const { run } of both) {
        const { json } = await submit(world, run);
        expect(json).toMatchObject({
          code: 'FORBIDDEN',
          message: expect.stringContaining('No agent has taken'),
        });
      }
      for (const { tree, token, task } of both) {
        const taken = await world.cli(['work', 'get-my-task', '--session-token', token, '--json'], { cwd: tree });
        expect(taken.json, taken.stderr).toMatchObject({ task: { task_id: task } });
      }
      const [ann, bea] = both as [(typeof both)[0], (typeof both)[0]];
      writeFileSync(join(ann.tree, 'note.md'), 'Ann’s note\n');
      expect((await submit(world, bea.run, bea.tree)).json).toMatchObject({ code: 'INVALID_PAYLOAD' });
      // What a neighbour and the main checkout change does not concern Ann's run.
      writeFileSync(join(bea.tree, 'code.ts'), 'two\n');
      world.write('code.ts', 'three\n');
      expect((await submit(world, ann.run, ann.tree)).json).toMatchObject({ result: { moved: true } });
      writeFileSync(join(bea.tree, 'note.md'), 'Bea’s note\n');
      expect((await submit(world, bea.run, bea.tree)).json).toMatchObject({
        result: { moved: false, missing_guards: [expect.stringContaining('code.ts')] },
      });
      const placed = await world.cli(['journal', 'list', '--kind', 'run.placed', '--json']);
      expect(placed.stdout).toContain(ann.tree);
      expect(placed.stdout).toContain(bea.tree);
    });

    test(requires('gate.approval.elsewhere'), async ({ world }) => {
      setUp(world);
      // Another machine of the same people: a clone with its own data folder, on the same database.
      const clone = join(world.project, '../clone');
      mkdirSync(clone);
      const there = { ...otherMachine(world), SEKISHO_PROJECT_KEY: world.project, SEKISHO_TOKEN: personToken };
      const approvedThere = async () => {
        const { value } = await world.call('state_gate.create_run', { process_id: 'reviewed' });
        const run = value['run_id'] as string;
        world.write('note.md', `a note for ${run}\n`);
        expect((await submit(world, run)).json).toMatchObject({ result: { moved: true } });
        const answer = await world.cli(['approve', run, '--json'], { cwd: clone, env: there });
        expect(answer.json, answer.stderr).toMatchObject({ moved: false });
        return run;
      };
      const decided = (run: string) =>
        until(
          'the run is decided',
          () => stateOf(world, run),
          (state) => state === 'done',
          deadlineMs,
        );

      const first = await approvedThere();
      expect(await stateOf(world, first)).toBe('review');
      const runner = spawn(node, [bin, 'runner'], { cwd: world.project, env: world.env, stdio: 'ignore' });
      try {
        await decided(first);
      } finally {
        const gone = new Promise((resolve) => runner.once('exit', resolve));
        runner.kill('SIGTERM');
        await gone;
      }

      await world.daemon();
      const second = await approvedThere();
      await decided(second);
      const { value } = await world.call('state_gate.get_history', { run_id: second });
      expect(JSON.stringify(value)).toContain('"gate"');
    });
  });
});
