import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asPerson, makeHome, run, sekisho } from './cli.ts';
import { type Driver, drivers } from './driver.ts';
import { type Turn, startModel } from './model/model.ts';

const definition = (id: string, denied: string) => `id: ${id}
version: "1"
initial_state: work
states:
  - { name: work, tool_permissions: { denied: [${denied}] } }
  - { name: done, is_final: true }
events: [{ name: finish }]
transitions: [{ from: work, event: finish, to: done }]
`;

test('Claude Code and Codex work in two worktrees under two runs at the same time', async () => {
  const home = makeHome();
  const trees = { claude: join(home.folder, 'one'), codex: join(home.folder, 'two') };
  const write =
    (driver: Driver, tree: string, name: string): Turn =>
    (seen) => ({ calls: [driver.write(join(tree, name), 'hello', seen)] });
  const speaks =
    (driver: Driver): Turn =>
    (seen) => ({ calls: [driver.mcp('state_gate_get_state', {}, seen)] });
  /** Its own tree, the other's, a run of its own choice, and its own tree again. */
  const script = (driver: Driver, own: string, other: string): readonly Turn[] => [
    write(driver, own, 'mine.txt'),
    write(driver, other, `by-${driver.id}.txt`),
    speaks(driver),
    (seen) => ({ calls: [driver.mcp('state_gate_create_run', { process_id: 'lax' }, seen)] }),
    write(driver, own, 'again.txt'),
    { text: 'Done.' },
  ];
  const [first, second] = await Promise.all([
    startModel(script(drivers.claude, trees.claude, trees.codex)),
    startModel(script(drivers.codex, trees.codex, trees.claude)),
  ]);
  try {
    const path = `${drivers.claude.folder()}:${drivers.codex.folder()}:${home.env['PATH']}`;
    const env = {
      ...home.env,
      ...drivers.claude.furnish(home, first.url),
      ...drivers.codex.furnish(home, second.url),
      PATH: path,
    };
    const cli = async (cwd: string, ...args: readonly string[]) => {
      const { stdout, stderr } = await run(process.execPath, [sekisho, ...args, '--json'], {
        cwd,
        env: { ...env, ...asPerson },
      });
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as Record<string, any>;
    };
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: home.project });
    git('init', '-q');
    expect(await cli(home.project, 'init', '--client', 'claude', '--client', 'codex')).toHaveProperty('clients');
    home.write('.sekisho/processes/strict.yaml', definition('strict', 'Write, Edit, Bash'));
    home.write('.sekisho/processes/lax.yaml', definition('lax', 'WebFetch'));
    expect(await cli(home.project, 'trust')).not.toHaveProperty('error');
    git('commit', '-q', '--allow-empty', '-m', 'start');
    for (const tree of Object.values(trees)) git('worktree', 'add', '-q', tree);
    const strict = await cli(trees.claude, 'start', 'strict');
    const lax = await cli(trees.codex, 'start', 'lax');
    expect([strict['is_current'], lax['is_current']]).toEqual([true, true]);

    const drive = (driver: Driver, cwd: string) =>
      run(join(driver.folder(), driver.id), driver.line('Work', 'outside'), { cwd, env });
    const outcomes = await Promise.all([drive(drivers.claude, trees.claude), drive(drivers.codex, trees.codex)]);
    const told = (model: typeof first) => model.seen.at(-1)?.results ?? [];
    const why = outcomes.map(({ stdout, stderr }) => stdout + stderr).join('\n');

    const [mine, others, state, added, again] = told(first);
    expect(mine, why).toContain('in the state "work"');
    expect(others).toContain('in the state "work"');
    expect(state).toContain(strict['run_id']);
    expect(added).toContain(strict['run_id']);
    expect(again).toContain('in the state "work"');

    const [, refused, spoken] = told(second);
    expect(refused, why).toContain(strict['run_id']);
    expect(spoken).toContain(lax['run_id']);
    const found = ['mine.txt', 'again.txt', 'by-codex.txt'].map((name) => existsSync(join(trees.claude, name)));
    expect(found).toEqual([false, false, false]);
    const free = ['mine.txt', 'again.txt', 'by-claude.txt'].map((name) => existsSync(join(trees.codex, name)));
    expect(free).toEqual([true, true, false]);
  } finally {
    await Promise.all([first.close(), second.close()]);
    home.close();
  }
});
