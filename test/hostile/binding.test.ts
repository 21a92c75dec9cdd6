import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type World, bin, makeWorld, node } from '../e2e/world.ts';
import { registerRoot } from '../../src/config/register.ts';
import { type ProjectPlace, locate } from '../../src/config/locate.ts';
import { row } from '../setup/security.ts';
import { trustConfiguration, trustFile } from '../setup/trust.ts';

/** Part A of the threats: what an agent can do to choose which run binds it. */

const definition = (
  id: string,
  denied: string,
) => `process: { id: ${id}, version: "1", name: ${id}, initial_state: work }
states:
  - { name: work, tool_permissions: { denied: [${denied}] } }
  - { name: done, is_final: true }
events: [{ name: finish }]
transitions: [{ from: work, event: finish, to: done }]
`;

let world: World;
let client: string;

/** A prepared project with a commit, a strict process and a lax one. */
beforeEach(async () => {
  world = await makeWorld('stdio', 'sqlite');
  registerRoot(world.place.data, world.project, new Date(), { db: world.db });
  world.write('.sekisho/processes/strict.yaml', definition('strict', 'Edit, Write'));
  world.write('.sekisho/processes/lax.yaml', definition('lax', 'WebFetch'));
  expect((await world.person(['trust', '--json'])).code).toBe(0);
  git(world.project, 'init', '-q', '-b', 'main');
  git(world.project, 'add', '.sekisho/processes');
  git(world.project, 'commit', '-q', '-m', 'first');
  client = join(world.project, '..', 'claude');
  writeFileSync(client, '#!/bin/sh\nsh -c "$1"\nexit 0\n');
  chmodSync(client, 0o755);
});
afterEach(() => world.close());

function git(cwd: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  execFileSync('git', [...who, ...args], { cwd, env: { PATH: world.env['PATH'], HOME: world.env['HOME'] } });
}

function worktree(name: string): string {
  const folder = join(world.project, '..', name);
  git(world.project, 'worktree', 'add', '-q', '-b', name, folder);
  return folder;
}

const sekisho = `'${node}' '${bin}'`;
const start = (name: string) => `${sekisho} start ${name} --json >/dev/null`;

/** What a hook of the client is asked, from its shell. */
function ask(path: string, cwd: string): string {
  const question = { session_id: 's', cwd, tool_name: 'Edit', tool_input: { file_path: path } };
  return `printf '%s' '${JSON.stringify(question)}' | ${sekisho} hook pre-tool-use --client claude`;
}

/** Runs lines in one client's process, and says whether the last of them was refused. */
function isDenied(lines: readonly string[], settings: { cwd?: string; env?: Record<string, string> } = {}): boolean {
  const { stdout, stderr, status } = spawnSync(client, [lines.join('\n')], {
    cwd: settings.cwd ?? world.project,
    env: { ...world.env, ...settings.env },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.includes('"deny"');
}

const startAs = async (name: string, cwd = world.project): Promise<Record<string, any>> => {
  const started = await world.person(['start', name, '--json'], { cwd });
  expect(started.code, started.stderr).toBe(0);
  return started.json;
};

test(`${row('binding.second-run')} a run that an agent starts takes the place of none`, async () => {
  await startAs('strict');
  expect(isDenied([start('lax'), ask('a.ts', world.project)])).toBe(true);
});

test(`${row('binding.second-run')} what an agent started binds it until it has ended, and no other client`, async () => {
  await startAs('lax');
  expect(isDenied([start('strict'), start('lax'), ask('a.ts', world.project)])).toBe(true);
  expect(isDenied([ask('a.ts', world.project)])).toBe(false);
});

test(`${row('binding.detached')} a process that leaves its client is bound by its tree alone`, async () => {
  await startAs('lax');
  const out = join(world.project, '..', 'detached');
  const line = `${ask('a.ts', world.project)} > '${out}'; : > '${out}.done'`.replaceAll("'", String.raw`'\''`);
  const wait = `while [ ! -e '${out}.done' ]; do :; done; cat '${out}'`;
  expect(isDenied([start('strict'), `(setsid sh -c '${line}' >/dev/null 2>&1 &)`, wait])).toBe(false);
});

test(`${row('binding.child-client')} a client that another one starts is bound by what the first one started`, async () => {
  await startAs('lax');
  const inner = join(dirname(client), 'codex');
  writeFileSync(inner, '#!/bin/sh\nsh -c "$1"\n');
  chmodSync(inner, 0o755);
  const line = ask('a.ts', world.project).replaceAll("'", String.raw`'\''`);
  expect(isDenied([start('strict'), `'${inner}' '${line}'`])).toBe(true);
});

describe('a worktree', () => {
  test(`${row('binding.worktree-run')} is no way out of the main checkout's run`, async () => {
    await startAs('strict');
    const tree = worktree('way-out');
    expect(isDenied([start('lax'), ask('a.ts', tree)], { cwd: tree })).toBe(true);
  });

  test(`${row('binding.worktree-run')} gets a run of its own from a person, and only there`, async () => {
    await startAs('strict');
    const tree = worktree('given');
    const { binding, is_current } = await startAs('lax', tree);
    expect(is_current).toBe(true);
    expect(binding.runs).toHaveLength(1);
    expect(isDenied([ask('a.ts', tree)], { cwd: tree })).toBe(false);
    expect(isDenied([ask('a.ts', world.project)])).toBe(true);
  });

  test(`${row('binding.worktree-run')} has a run of its own by an agent where nothing binds; the main checkout stays free`, () => {
    const [one, two] = [worktree('one'), worktree('two')];
    expect(isDenied([start('strict'), ask('a.ts', one)], { cwd: one })).toBe(true);
    expect(isDenied([ask('a.ts', one)], { cwd: one })).toBe(true);
    expect(isDenied([start('lax'), ask('a.ts', two)], { cwd: two })).toBe(false);
    expect(isDenied([ask('a.ts', world.project)])).toBe(false);
  });

  test(`${row('binding.worktree-run')} stands alone where the trusted configuration says so`, async () => {
    world.write('.sekisho/config.yaml', 'gate: { worktrees: own }\n');
    await startAs('strict');
    const tree = worktree('alone');
    expect(isDenied([ask('a.ts', tree)], { cwd: tree })).toBe(false);
    expect(isDenied([start('lax'), ask('a.ts', tree)], { cwd: tree })).toBe(false);
    expect(isDenied([start('strict'), ask('a.ts', tree)], { cwd: tree })).toBe(true);
  });
});

describe('a data folder of its own, with the real store by --db', () => {
  const own = () => ({ XDG_DATA_HOME: join(world.project, '..', 'own-data') });

  test(`${row('binding.own-folder')} frees no worktree, whatever an agent trusts there`, async () => {
    await startAs('strict');
    const tree = worktree('freed');
    const project = { ...locate({ cwd: world.project, env: { ...world.env, ...own() } }) };
    registerRoot(project.data, world.project, new Date(), { db: world.db });
    writeFileSync(join(world.project, '.sekisho/config.yaml'), 'gate: { worktrees: own }\n');
    await trustConfiguration(world.project, { ...world.env, ...own() });
    const env = { ...own(), SEKISHO_DB: '' };
    const lax = await world.cli(['start', 'lax', '--json', '--db', world.db], { cwd: tree, env });
    expect(lax.code, lax.stderr).toBe(0);
    expect(isDenied([ask('a.ts', tree)], { cwd: tree })).toBe(true);
    const used = await world.cli(['gate', 'use', lax.json['run_id'] as string, '--db', world.db, '--json'], {
      cwd: tree,
      env,
    });
    expect(used.code).toBe(1);
    expect(isDenied([ask('a.ts', tree)], { cwd: tree })).toBe(true);
  });

  test(`${row('trust.own-folder')} decides with its own test command, where the checkout's name was copied`, async () => {
    const tested = definition('tested', 'WebFetch').replace('to: done }]', 'to: done, guard: ok }]');
    world.write(
      '.sekisho/processes/tested.yaml',
      `${tested}guards: { ok: { type: command, command: { config: test } } }\n`,
    );
    world.write('.sekisho/config.yaml', 'test: ["false"]\n');
    expect((await world.person(['trust', '--json'])).code).toBe(0);
    const { run_id } = await startAs('tested');
    const env = { ...world.env, ...own() };
    const place = locate({ cwd: world.project, env });
    registerRoot(place.data, world.project, new Date(), { db: world.db });
    mkdirSync(place.state, { recursive: true });
    cpSync(join(world.place.state, 'checkout'), join(place.state, 'checkout'));
    writeFileSync(join(world.project, '.sekisho/config.yaml'), 'test: ["true"]\n');
    await trustConfiguration(world.project, env);
    await trustFile(world.project, env, '.sekisho/processes/tested.yaml');
    const finish = ['submit', 'finish', '--json', '--run-id', String(run_id)];
    expect((await world.cli(finish)).code).toBe(1);
    const fooled = await world.cli([...finish, '--db', world.db], { env: { ...own(), SEKISHO_DB: '' } });
    expect(fooled.code, fooled.stdout + fooled.stderr).toBe(0);
  });

  test(`${row('binding.own-folder')} files no run of another project under a tree`, async () => {
    await startAs('strict');
    const tree = worktree('keyed');
    const env = { ...own(), SEKISHO_PROJECT_KEY: 'another' };
    const lax = await world.cli(['start', 'lax', '--json', '--db', world.db], { cwd: tree, env });
    expect(lax.code, lax.stderr).toBe(0);
    expect(isDenied([ask('a.ts', tree)], { cwd: tree })).toBe(true);
  });
});

test(`${row('binding.untrusted-run')} a definition that nobody has looked at binds beside a person's run, never before it`, async () => {
  world.write('.sekisho/processes/mine.yaml', definition('mine', 'WebFetch'));
  expect(isDenied([start('mine'), ask('a.ts', world.project)])).toBe(false);
  const { is_current } = await startAs('strict');
  expect(is_current).toBe(true);
  expect(isDenied([ask('a.ts', world.project)])).toBe(true);
});

describe('a path', () => {
  test(`${row('binding.other-tree')} in another tree is bound by that tree's run`, async () => {
    await startAs('strict');
    const tree = worktree('lax-tree');
    await startAs('lax', tree);
    expect(isDenied([ask(join(tree, 'a.ts'), tree)], { cwd: tree })).toBe(false);
    expect(isDenied([ask(join(world.project, 'a.ts'), tree)], { cwd: tree })).toBe(true);
    expect(isDenied([ask('../project/a.ts', tree)], { cwd: tree })).toBe(true);
  });

  test(`${row('binding.other-tree')} in another registered root is bound by that root's run`, async () => {
    await startAs('strict');
    const other = join(world.project, '..', 'other');
    mkdirSync(join(other, '.sekisho'), { recursive: true });
    registerRoot(world.place.data, other, new Date());
    expect(isDenied([ask(join(other, 'a.ts'), other)], { cwd: other })).toBe(false);
    expect(isDenied([ask(join(world.project, 'a.ts'), other)], { cwd: other })).toBe(true);
  });
});

describe('a registered project', () => {
  /** Another project that the agent prepares for itself. */
  async function ownProject(): Promise<string> {
    const other = join(world.project, '..', 'mine');
    mkdirSync(other);
    git(other, 'init', '-q');
    git(other, 'commit', '-q', '--allow-empty', '-m', 'x');
    expect((await world.cli(['init', '--yes'], { cwd: other, env: { SEKISHO_DB: '' } })).code).toBe(0);
    return other;
  }

  /** Makes a folder look like a worktree of a checkout, in the records of both. */
  function plant(folder: string, checkout: string): void {
    const record = join(checkout, '.git/worktrees/w');
    mkdirSync(record, { recursive: true });
    writeFileSync(join(record, 'gitdir'), `${folder}/.git\n`);
    writeFileSync(join(record, 'commondir'), '../..\n');
    writeFileSync(join(record, 'HEAD'), 'ref: refs/heads/main\n');
    rmSync(join(folder, '.git'), { recursive: true, force: true });
    writeFileSync(join(folder, '.git'), `gitdir: ${record}\n`);
  }

  test(`${row('binding.planted-worktree')} goes on binding when it is made a worktree of another one`, async () => {
    await startAs('strict');
    const [other, below] = [await ownProject(), join(world.project, 'src')];
    mkdirSync(below);
    plant(below, other);
    expect(isDenied([ask('a.ts', below)], { cwd: below })).toBe(true);
    plant(world.project, other);
    expect(isDenied([ask('a.ts', world.project)])).toBe(true);
  });

  test(`${row('binding.planted-worktree')} goes on binding a worktree whose record git has lost`, async () => {
    await startAs('strict');
    const tree = worktree('lost');
    rmSync(join(world.project, '.git/worktrees/lost/gitdir'));
    expect(isDenied([ask('a.ts', tree)], { cwd: tree })).toBe(true);
  });

  test(`${row('binding.inner-root')} gets no root of its own inside of it from an agent`, async () => {
    await startAs('strict');
    const inner = join(world.project, 'inner');
    mkdirSync(inner);
    expect((await world.cli(['init', '--yes'], { cwd: inner })).code).toBe(1);
    registerRoot(world.place.data, inner, new Date(), { db: world.db });
    expect(isDenied([ask('a.ts', inner)], { cwd: inner })).toBe(true);
  });

  test(`${row('binding.moved-root')} goes on binding after it was moved and linked`, async () => {
    await startAs('strict');
    const { project } = world;
    renameSync(project, `${project}-moved`);
    symlinkSync(`${project}-moved`, project);
    expect(isDenied([ask('a.ts', project)], { env: { CLAUDE_PROJECT_DIR: project } })).toBe(true);
    rmSync(project);
    renameSync(`${project}-moved`, project);
  });

  test(`${row('hooks.fail')} is not left open by a call from elsewhere that cannot be read`, async () => {
    await startAs('strict');
    const other = await ownProject();
    const edit = { file_path: join(world.project, 'a.ts') };
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    for (const odd of ['x\0y', 'x'.repeat(5000), 'x'.repeat(300), deep(300)]) {
      const input = JSON.stringify({ cwd: other, tool_name: 'Edit', tool_input: { ...edit, path: odd } });
      const asked = await world.cli(['hook', 'pre-tool-use', '--client', 'claude'], { cwd: other, input });
      expect([JSON.stringify(odd).slice(0, 20), asked.stdout.includes('"deny"')]).toEqual([expect.anything(), true]);
    }
  });

  test(`${row('hooks.spelling')} is found in every spelling that a client may understand`, async () => {
    await startAs('strict');
    const other = await ownProject();
    symlinkSync(join(world.project, '.sekisho'), join(other, 'link'));
    const { project } = world;
    const below = project.slice((world.env['HOME'] ?? '').length);
    for (const path of [`~${below}/a.ts`, ` ${project}/a.ts`, 'link/../a.ts'])
      expect([path, isDenied([ask(path, other)], { cwd: other })]).toEqual([path, true]);
  });
});

describe('a variable', () => {
  const values: Readonly<Record<string, () => Promise<string> | string>> = {
    SEKISHO_RUN_ID: async () => String((await startAs('lax'))['run_id']),
    SEKISHO_DB: () => join(world.project, '..', 'none.db'),
    SEKISHO_PROJECT: () => dirname(world.project),
    SEKISHO_PROJECT_KEY: () => 'another',
    SEKISHO_HOOK_FAIL: () => 'open',
    CLAUDE_CODE_SESSION_ID: () => 'another',
    CLAUDE_PROJECT_DIR: () => dirname(world.project),
    AGENT_ID: () => 'agt_other',
  };

  test(`${row('binding.variables', 'binding.spoofed-session')} frees nobody`, async () => {
    await startAs('strict');
    for (const [name, value] of Object.entries(values)) {
      const env = { [name]: await value() };
      expect([name, isDenied([ask('a.ts', world.project)], { env })]).toEqual([name, true]);
    }
  });

  test(`${row('binding.variables')} does not lead a server of a prepared project elsewhere`, async () => {
    await startAs('strict');
    const env = { SEKISHO_DB: join(world.project, '..', 'none.db'), SEKISHO_PROJECT_KEY: 'another' };
    const state = await world.cli(['gate', 'get-state', '--json'], { env });
    expect(state.json['current_state']).toBe('work');
  });
});

test(`${row('binding.record-removed')} a worktree that we made belongs to its root whatever git's records say`, () => {
  const tree = join(world.place.worktrees, 'agent-1');
  mkdirSync(dirname(tree), { recursive: true });
  git(world.project, 'worktree', 'add', '-q', '-b', 'agent-1', tree);
  const found = (): Pick<ProjectPlace, 'root' | 'tree'> => {
    const place = locate({ cwd: tree, env: world.env });
    return { root: place.root, tree: place.tree };
  };
  expect(found()).toEqual({ root: world.project, tree });
  rmSync(join(world.project, '.git/worktrees/agent-1/gitdir'));
  expect(found()).toEqual({ root: world.project, tree });
  rmSync(join(tree, '.git'));
  expect(found()).toEqual({ root: world.project, tree });
});

describe('what an agent starts', () => {
  test(`${row('binding.child')} is bound by what binds its starter, in a worktree of its own too`, async () => {
    const line = 'cli: command, command: [/bin/sh]';
    world.write(
      '.sekisho/config.yaml',
      `roles:\n  - { id: sh, ${line} }\n  - { id: apart, ${line}, isolation: worktree }\n`,
    );
    await startAs('lax');
    const group = `G=$(${sekisho} fleet create-group --description t --json | ${idIn('groupId')})`;
    const agent = (role: string) => {
      const prompt = `${ask('a.ts', '.')} > '${join(world.project, '..', role)}'`;
      const agents = JSON.stringify([{ role, prompt }]).replaceAll("'", String.raw`'\''`);
      return `A=$(${sekisho} fleet run-agents --group-id "$G" --agents '${agents}' --json | ${idIn('agentId')}); ${sekisho} fleet wait-agent --agent-ids "$A" --json >/dev/null`;
    };
    expect(isDenied([start('strict'), group, agent('sh'), agent('apart')])).toBe(false);
    for (const role of ['sh', 'apart'])
      expect([role, readFileSync(join(world.project, '..', role), 'utf8')]).toEqual([
        role,
        expect.stringContaining('"deny"'),
      ]);
  });
});

function idIn(field: string): string {
  return `tr -d ' \\n' | sed -E 's/.*"${field}":"([^"]+)".*/\\1/'`;
}

test(`${row('binding.after-report')} an agent that has reported stays bound while its client lives`, async () => {
  await startAs('lax');
  const admin = async (...line: readonly string[]) => {
    const done = await world.person([...line, '--json']);
    expect(done.code, done.stderr + done.stdout).toBe(0);
    return done.json;
  };
  await admin('admin', 'create-project', '--id', 'prj_p', '--name', 'p', '--working-directory', world.project);
  const { passkey } = await admin('admin', 'create-agent', '--id', 'agt_a', '--name', 'a', '--ai-type', 'claude');
  await admin('admin', 'assign-agent', '--agent-id', 'agt_a', '--project-id', 'prj_p');
  const task = ['--project-id', 'prj_p', '--title', 't', '--assignee-id', 'agt_a', '--process-id', 'strict'];
  const { task_id } = await admin('admin', 'create-task', ...task);
  await admin('admin', 'move-tasks', '--task-ids', String(task_id), '--status', 'todo');
  const open = `T=$(${sekisho} work authenticate --agent-id agt_a --passkey '${passkey}' --project-id prj_p --json | ${idIn('session_token')})`;
  const take = `${sekisho} work get-my-task --session-token "$T" --json >/dev/null`;
  const report = `${sekisho} work report-completed --session-token "$T" --result blocked --summary s --json >/dev/null`;
  const question = ask('a.ts', world.project);
  expect(isDenied([question])).toBe(false);
  expect(isDenied([open, take, report, question])).toBe(true);
  expect(isDenied([question])).toBe(false);
});

test(`${row('evidence.environment')} a command guard runs in the environment of whoever submits`, async () => {
  const guarded = definition('guarded', 'WebFetch').replace('to: done }]', 'to: done, guard: ok }]');
  world.write('.sekisho/processes/guarded.yaml', `${guarded}guards: { ok: { type: command, command: [check-it] } }\n`);
  expect((await world.person(['trust', '--json'])).code).toBe(0);
  await startAs('guarded');
  const folder = join(world.project, '..', 'own');
  mkdirSync(folder);
  writeFileSync(join(folder, 'check-it'), '#!/bin/sh\nexit 0\n');
  chmodSync(join(folder, 'check-it'), 0o755);
  expect((await world.cli(['submit', 'finish', '--json'])).code).toBe(1);
  const fooled = await world.cli(['submit', 'finish', '--json'], { env: { PATH: `${folder}:${world.env['PATH']}` } });
  expect(fooled.code).toBe(0);
});
