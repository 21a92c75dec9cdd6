import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataFolder } from '../../src/config/data-folder.ts';
import { locate } from '../../src/config/locate.ts';
import { addRoot, moveRoot, removeRoot, storeByPath } from '../../src/config/root.ts';
import { killAll } from '../setup/processes.ts';
import { personToken } from '../setup/person.ts';
import { until } from '../setup/until.ts';
import { row } from '../setup/security.ts';
import { requires } from './requirements.ts';
import { bin, node } from './world.ts';
import { trustConfiguration } from '../setup/trust.ts';

type Answer = Record<string, any>;

/** A user with a data folder of their own, and one project: `app`, a git checkout. No variable says where anything is. */
class User {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-locate-')));
  readonly app = join(this.base, 'app');
  readonly probes = join(this.base, 'probes');
  private readonly clients: Client[] = [];
  private daemon: Promise<{ url: string; tokens: Record<string, string>; process: ChildProcess }> | undefined;
  readonly env: Record<string, string> = {
    PATH: `${join(this.base, 'bin')}${delimiter}${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: this.base,
    XDG_DATA_HOME: join(this.base, 'data'),
    LANG: 'C',
    SEKISHO_PERSON_TOKEN: personToken,
    PROBE_BIN: bin,
    PROBE_FOLDER: this.probes,
  };

  constructor() {
    for (const name of ['bin', 'probes']) mkdirSync(join(this.base, name));
    const program = join(this.base, 'bin/claude');
    copyFileSync(join(import.meta.dirname, '../fixtures/locate/claude.mjs'), `${program}.mjs`);
    writeFileSync(program, `#!/bin/sh\nexec '${node}' '${program}.mjs' "$@"\n`);
    chmodSync(program, 0o755);
    this.write('app/src/a.ts', '');
    this.git('app', 'init', '--quiet');
    this.git('app', 'add', '.');
    this.git('app', 'commit', '--quiet', '-m', 'first');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.base, path)), { recursive: true });
    writeFileSync(join(this.base, path), text);
  }

  git(folder: string, ...args: readonly string[]): string {
    const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
    return execFileSync('git', ['-C', join(this.base, folder), ...who, ...args], { encoding: 'utf8', stdio: 'pipe' });
  }

  /** The command line in a folder below `base`. */
  async cli(folder: string, args: readonly string[], more: { input?: object; env?: Record<string, string> } = {}) {
    const child = spawn(node, [bin, ...args], {
      cwd: join(this.base, folder),
      env: { ...this.env, ...more.env },
      detached: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.stdin.on('error', () => undefined); // It may end without reading.
    child.stdin.end(more.input === undefined ? '' : JSON.stringify(more.input));
    const code = await new Promise((done) => child.once('close', done));
    return { code, stdout, stderr };
  }

  async json(folder: string, args: readonly string[], more = {}): Promise<Answer> {
    const { stdout, stderr } = await this.cli(folder, [...args, '--json'], more);
    try {
      return JSON.parse(stdout) as Answer;
    } catch {
      throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
    }
  }

  async stdio(folder: string, ...args: readonly string[]): Promise<Client> {
    const client = new Client({ name: 'locate-test', version: '1.0.0' });
    const command = { command: node, args: [bin, 'mcp', ...args], cwd: join(this.base, folder), env: this.env };
    await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
    this.clients.push(client);
    return client;
  }

  up(folder: string) {
    return (this.daemon ??= (async () => {
      const child = spawn(node, [bin, 'up', '--port', '0', '--json'], {
        cwd: join(this.base, folder),
        env: this.env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const line = await new Promise<string>((done) => createInterface({ input: child.stdout }).once('line', done));
      return { ...(JSON.parse(line) as { url: string; tokens: Record<string, string> }), process: child };
    })());
  }

  person(folder: string): Promise<Client> {
    return this.http(`/mcp?project=${encodeURIComponent(join(this.base, folder))}`, '.', personToken);
  }

  async http(path: string, from = '.', token?: string): Promise<Client> {
    const { url, tokens } = await this.up(from);
    const client = new Client({ name: 'locate-test', version: '1.0.0' });
    const headers = { Authorization: `Bearer ${token ?? readFileSync(tokens['agent'] ?? '', 'utf8').trim()}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit: { headers } }));
    this.clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((one) => one.close().catch(() => undefined)));
    const running = await this.daemon;
    if (running !== undefined) {
      const gone = new Promise((done) => running.process.once('exit', done));
      running.process.kill('SIGTERM');
      await gone;
    }
    await killAll(({ environment }) => environment.includes(`HOME=${this.base}`));
    rmSync(this.base, { recursive: true, force: true });
  }
}

async function call(client: Client, name: string, input: object = {}): Promise<Answer> {
  const raw = (await client.callTool({ name, arguments: input as Record<string, unknown> })) as Answer;
  return (raw['structuredContent'] ?? JSON.parse(raw['content'][0].text)) as Answer;
}

function runsIn(answer: Answer): readonly string[] {
  return (answer['runs'] as readonly Answer[]).map((one) => one['run_id'] as string);
}

interface Situation {
  readonly title: string;
  make(user: User): void;
  /** Below the user's folder. */
  readonly where: string;
  /** Whether the run of `app` binds whoever is there. */
  readonly gated: boolean;
  /** Whether hooks are bound by it all the same: whoever says to be a worktree is held to that. */
  readonly hooked?: boolean;
}

function worktree(user: User, name = 'tree'): void {
  user.git('app', 'worktree', 'add', '--quiet', '-b', name, `../${name}`);
}

const beside: readonly Situation[] = [
  { title: 'a worktree', make: (user) => worktree(user), where: 'tree', gated: true },
  {
    title: 'a worktree with a .sekisho of its own',
    make: (user) => {
      worktree(user, 'own-tree');
      user.write('own-tree/.sekisho/config.yaml', 'lang: ja\n');
    },
    where: 'own-tree/src',
    gated: true,
  },
  { title: 'a subfolder', make: () => undefined, where: 'app/src', gated: true },
  {
    title: 'a nested .sekisho that nobody registered',
    make: (user) => user.write('app/vendor/lib/.sekisho/config.yaml', 'db: own.db\nprojectKey: other\n'),
    where: 'app/vendor/lib',
    gated: true,
  },
  {
    title: 'a linked folder',
    make: (user) => symlinkSync(join(user.app, 'src'), join(user.base, 'short')),
    where: 'short',
    gated: true,
  },
  {
    title: 'a forged .git file',
    make: (user) => {
      worktree(user, 'copied');
      user.write('forged/.git', readFileSync(join(user.base, 'copied/.git'), 'utf8'));
    },
    where: 'forged',
    gated: false,
    hooked: true,
  },
  { title: 'a plain folder', make: (user) => mkdirSync(join(user.base, 'plain')), where: 'plain', gated: false },
];

/** What is done to the project itself comes alone; the others have one user and one daemon. */
const situations: readonly (readonly Situation[])[] = [
  beside,
  [
    {
      title: 'a project that was swept clean',
      make: (user) => {
        user.git('app', 'clean', '-fdxq');
        rmSync(join(user.app, '.sekisho'), { recursive: true, force: true });
      },
      where: 'app',
      gated: true,
    },
  ],
  [
    {
      title: 'a moved folder',
      make: (user) => renameSync(user.app, join(user.base, 'renamed')),
      where: 'renamed',
      gated: false,
    },
  ],
];

const edit = { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: { file_path: 'src/a.ts' } };

describe.each(situations)(`${row('state.worktree', 'state.clean')} ${requires('common.project.same')}:`, (...all) => {
  let user: User;
  let run: string;
  beforeAll(async () => {
    user = new User();
    await user.cli('app', ['init', '--toolsets', 'all']);
    run = (await user.json('app', ['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']))['run_id'];
    for (const { make } of all) make(user);
  });
  afterAll(async () => user.close());

  describe.each(all)('$title', ({ where, gated, hooked = gated }) => {
    const expected = () => (gated ? [run] : []);
    /** What the program that stands for an agent was told. */
    const toldTo = async (agent: string) => {
      const name = await until('it has asked', () =>
        readdirSync(user.probes).find((one) => one.startsWith(agent) && one.endsWith('.json')),
      );
      return runsIn(JSON.parse(readFileSync(join(user.probes, name ?? ''), 'utf8')) as Answer);
    };

    test('the command line', async () => {
      expect(runsIn(await user.json(where, ['gate', 'list-runs']))).toEqual(expected());
    });

    test('a server over stdio, and an agent of the fleet, in its host', async () => {
      const client = await user.stdio(where);
      expect(runsIn(await call(client, 'state_gate.list_runs'))).toEqual(expected());
      const { groupId } = await call(client, 'create_group', { description: 'probe' });
      const answer = await call(client, 'run_agents', { groupId, agents: [{ role: 'impl-code', prompt: 'look' }] });
      if (answer['agents'] === undefined) throw new Error(JSON.stringify(answer));
      const { agents } = answer;
      const [{ agentId }] = agents as [Answer];
      expect(await toldTo(agentId as string)).toEqual(expected());
      await client.close();
    });

    test('a server over HTTP', async () => {
      const client = await user.http(`/mcp?project=${encodeURIComponent(join(user.base, where))}`);
      expect(runsIn(await call(client, 'state_gate.list_runs'))).toEqual(expected());
    });

    test('a hook', async () => {
      const { stdout } = await user.cli(where, ['hook', 'pre-tool-use'], { input: edit });
      expect(stdout.includes('"deny"')).toBe(hooked);
    });

    test('an instance that a Runner starts', async () => {
      const person = await user.person(where);
      const folder = join(user.base, where);
      const { project_id } = await call(person, 'create_project', { name: 'Probe', working_directory: folder });
      const made = await call(person, 'create_agent', { name: 'ann', ai_type: 'claude', system_prompt: 'You look.' });
      const agent_id = made['agent_id'] as string;
      await call(person, 'assign_agent', { project_id, agent_id });
      const { task_id } = await call(person, 'create_task', { project_id, title: 'Look', assignee_id: agent_id });
      for (const status of ['todo', 'in_progress']) await call(person, 'update_task_status', { task_id, status });
      const keys = join(user.base, 'keys.yaml');
      writeFileSync(keys, `${agent_id}: ${made['passkey']}\n`, { mode: 0o600 });
      const { started } = await user.json(where, ['runner', '--once'], { env: { SEKISHO_RUNNER_PASSKEY_FILE: keys } });
      expect(started).toHaveLength(1);
      expect(await toldTo(agent_id)).toEqual(expected());
    });

    test('none of them leaves anything in the folder', () => {
      const home = join(user.base, where, '.sekisho');
      const allowed = ['config.yaml', 'processes'];
      expect((existsSync(home) ? readdirSync(home) : []).filter((name) => !allowed.includes(name))).toEqual([]);
    });
  });
});

describe('doctor', () => {
  let user: User;
  beforeEach(() => {
    user = new User();
  });
  afterEach(async () => user.close());
  const project = async (folder: string) =>
    ((await user.json(folder, ['doctor']))['checks'] as readonly Answer[]).find((one) => one['name'] === 'project');

  test(requires('common.project.moved'), async () => {
    await user.cli('app', ['init', '--toolsets', 'all']);
    const { run_id } = await user.json('app', ['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']);
    expect(await project('app')).toMatchObject({ ok: true });
    renameSync(user.app, join(user.base, 'renamed'));
    const said = await project('renamed');
    expect(said).toMatchObject({ ok: false });
    const command = /sekisho (init .*? --moved-from '[^']+')/.exec(said?.['remedy'] as string)?.[1] ?? '';
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map((one) => one[1] ?? one[2] ?? '');
    expect((await user.cli('.', words)).code).toBe(1);
    expect((await user.cli('.', words, { env: { SEKISHO_TOKEN: personToken } })).code).toBe(0);
    expect(await project('renamed')).toMatchObject({ ok: true });
    expect(runsIn(await user.json('renamed', ['gate', 'list-runs']))).toEqual([run_id]);
    // Whoever makes a folder in the old place begins anew.
    mkdirSync(user.app);
    expect(runsIn(await user.json('app', ['gate', 'list-runs']))).toEqual([]);
  });

  test('says that a folder is not registered', async () => {
    expect(await project('app')).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('sekisho init') as unknown,
    });
  });
});

describe('the roots of a user', () => {
  let user: User;
  beforeEach(() => {
    user = new User();
  });
  afterEach(async () => user.close());

  test(requires('common.project.first'), async () => {
    const told = (await user.up('app')) as Answer;
    expect(told).toMatchObject({ roots: [] });
    await user.cli('app', ['init']);
    const { run_id } = await call(await user.http('/mcp'), 'state_gate.create_run', {
      process_id: 'explore-plan-implement-verify',
    });
    expect(runsIn(await user.json('app/src', ['gate', 'list-runs']))).toEqual([run_id]);
  });

  test(requires('common.project.named'), async () => {
    await user.cli('app', ['init', '--toolsets', 'all']);
    const client = await user.http('/mcp');
    expect(await call(client, 'state_gate.list_runs')).toEqual({ runs: [] });
    await user.cli('.', ['init', 'other', '--toolsets', 'all']);
    const lost = await user.http('/mcp');
    expect((await lost.listTools()).tools.length).toBeGreaterThan(10);
    const refused = await call(lost, 'state_gate.list_runs');
    expect(refused).toMatchObject({ success: false, error: { code: 'PROJECT_NEEDED' } });
    expect(refused['error'].message).toContain(`/mcp?project=${user.app}`);
    const named = await user.http(`/mcp?project=${user.app}`);
    expect(await call(named, 'state_gate.list_runs')).toEqual({ runs: [] });
  });

  test('a long-named root that another process registers, moves or removes is seen at the next request', async () => {
    await user.cli('app', ['init', '--toolsets', 'all']);
    const create = { process_id: 'explore-plan-implement-verify' };
    const { run_id: outer } = await call(await user.http(`/mcp?project=${user.app}`), 'state_gate.create_run', create);
    // The registry keeps the entries of names this long in a folder of their own.
    const [first, second] = ['a', 'b'].map((end) => join(user.app, `${'関'.repeat(50)}${end}`)) as [string, string];
    const clientIn = async (path: string) => {
      mkdirSync(path);
      return user.http(`/mcp?project=${encodeURIComponent(path)}`);
    };
    const data = dataFolder(user.env);
    const register = (path: string) =>
      addRoot(data, { path, key: path, store: storeByPath(data, path), at: new Date().toISOString() });
    const list = async (client: Client) => runsIn(await call(client, 'state_gate.list_runs'));

    const inFirst = await clientIn(first);
    expect(await list(inFirst)).toEqual([outer]);
    const removable = register(first);
    expect(await list(inFirst)).toEqual([]);

    const inSecond = await clientIn(second);
    expect(await list(inSecond)).toEqual([outer]);
    const moving = register(second);
    const { run_id: inner } = await call(inSecond, 'state_gate.create_run', create);
    expect(await list(inSecond)).toEqual([inner]);
    moveRoot(data, moving, join(user.base, 'moved'));
    expect(await list(inSecond)).toEqual([outer]);
    // A root that is registered where another one was has a store of its own.
    register(second);
    expect(await list(inSecond)).toEqual([]);

    expect(removeRoot(data, removable)).toBe(true);
    expect(await list(inFirst)).toEqual([outer]);
  });

  test('the journal of each project reaches the clients of that project', async () => {
    await user.cli('app', ['init', '--toolsets', 'all']);
    await user.cli('.', ['init', 'other', '--toolsets', 'all']);
    const client = await user.http(`/mcp?project=${join(user.base, 'other')}`);
    let told = false;
    client.setNotificationHandler('notifications/resources/list_changed', () => void (told = true));
    await call(client, 'state_gate.list_runs');
    const create = () => user.json('other', ['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']);
    expect((await create())['is_current']).toBe(true);
    // Its stream opens a moment after it is connected: what happened before is not told.
    let tries = 0;
    await until('it is told', async () => {
      if (++tries % 20 === 0) await create();
      return told;
    });
  });

  test(requires('common.project.roots'), async () => {
    await user.cli('app', ['init', '--toolsets', 'all']);
    mkdirSync(join(user.base, 'lib'));
    const person = await user.person('app');
    const make = (folder: string) =>
      call(person, 'create_project', { name: folder, working_directory: join(user.base, folder) });
    expect(await make('lib')).toMatchObject({ success: true });
    // Whoever works there is in the same store, with runs of their own.
    const listed = await call(await user.stdio('lib'), 'list_projects');
    expect(listed['projects']).toHaveLength(1);
    expect(await make('app/src')).toMatchObject({ success: true });
    await user.cli('.', ['init', 'theirs', '--toolsets', 'all']);
    expect(await make('theirs')).toMatchObject({ success: false, code: 'FOLDER_TAKEN' });
    expect(await make('not-there-yet')).toMatchObject({ success: true });
    // Nobody registered it, but a run of its own is there.
    mkdirSync(join(user.base, 'begun'));
    const { run_id } = await user.json('begun', ['gate', 'create-run', '--process-id', 'exploration']);
    expect(await make('begun')).toMatchObject({ success: false, code: 'FOLDER_TAKEN' });
    expect(runsIn(await user.json('begun', ['gate', 'list-runs']))).toEqual([run_id]);
    // A project that does not come to be takes no folder.
    mkdirSync(join(user.base, 'spare'));
    const { project_id: id } = await make('not-there-either');
    const again = { id, name: 'spare', working_directory: join(user.base, 'spare') };
    expect(await call(person, 'create_project', again)).toMatchObject({ success: false, code: 'ID_TAKEN' });
    expect(locate({ cwd: join(user.base, 'spare'), env: user.env }).registered).toBe(false);
    expect(await make('spare')).toMatchObject({ success: true });
    expect(locate({ cwd: join(user.base, 'spare'), env: user.env }).registered).toBe(true);
  });

  test(requires('common.project.file'), async () => {
    await user.cli('app', ['init', '--toolsets', 'all']);
    user.write('app/.sekisho/config.yaml', 'db: own.db\n');
    await user.json('app', ['gate', 'list-runs']);
    expect(existsSync(join(user.app, 'own.db'))).toBe(false);
    await trustConfiguration(user.app, user.env);
    await user.json('app', ['gate', 'list-runs']);
    expect(existsSync(join(user.app, 'own.db'))).toBe(true);
  });
});

describe('a hook that runs elsewhere', () => {
  let user: User;
  beforeEach(async () => {
    user = new User();
    await user.cli('app', ['init', '--toolsets', 'all']);
    await user.json('app', ['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']);
  });
  afterEach(async () => user.close());

  test('is told by its question where the agent is', async () => {
    const { stdout } = await user.cli('.', ['hook', 'pre-tool-use'], {
      input: { ...edit, cwd: join(user.app, 'src') },
    });
    expect(stdout).toContain('"deny"');
  });

  test('is told by its client where the project is, wherever the agent’s shell went', async () => {
    const more = { input: { ...edit, cwd: user.base }, env: { CLAUDE_PROJECT_DIR: user.app } };
    expect((await user.cli('.', ['hook', 'pre-tool-use'], more)).stdout).toContain('"deny"');
  });

  test('asks the daemon, which finds the project by the question’s folder', async () => {
    await user.cli('.', ['init', 'other', '--toolsets', 'all']);
    const { url, tokens } = await user.up('.');
    const ask = async (cwd: string) => {
      const headers = { Authorization: `Bearer ${readFileSync(tokens['agent'] ?? '', 'utf8').trim()}` };
      const body = JSON.stringify({ ...edit, cwd });
      return (await fetch(`${url}/hook/claude`, { method: 'POST', headers, body })).text();
    };
    expect(await ask(join(user.app, 'src'))).toContain('"deny"');
    expect(await ask(join(user.base, 'other'))).toBe('');
  });
});

describe('a run has a tree', () => {
  let user: User;
  beforeEach(async () => {
    user = new User();
    await user.cli('app', ['init', '--toolsets', 'all']);
    worktree(user);
  });
  afterEach(async () => user.close());
  const create = (folder: string) =>
    user.json(folder, ['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']);
  const submit = (folder: string, run: string) =>
    user.json(
      folder,
      `gate emit-event --run-id ${run} --event-name submit_exploration --expected-revision 0 --idempotency-key ${folder} --artifact-paths exploration.md --payload {}`.split(
        ' ',
      ),
    );

  test(requires('common.project.tree'), async () => {
    const { run_id } = await create('tree');
    user.write('app/exploration.md', 'elsewhere');
    expect(await submit('app', run_id)).toMatchObject({ code: 'INVALID_PAYLOAD' });
    user.write('tree/exploration.md', 'here');
    expect(await submit('app', run_id)).toMatchObject({ success: true });
  });

  test(requires('common.project.worktree-run'), async () => {
    const main = await create('app');
    const own = await create('tree');
    expect(own['is_current']).toBe(false);
    const current = async (folder: string) => (await user.json(folder, ['gate', 'get-state']))['run_id'] as string;
    expect(await current('tree')).toBe(main['run_id']);
    const used = await user.json('tree', ['gate', 'use', own['run_id']], { env: { SEKISHO_TOKEN: personToken } });
    expect(used).toMatchObject({ run_id: own['run_id'], previous_run_id: main['run_id'] });
    expect(await current('tree')).toBe(own['run_id']);
    expect(await current('app')).toBe(main['run_id']);
  });
});
