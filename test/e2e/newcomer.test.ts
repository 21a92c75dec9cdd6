import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dataFolder } from '../../src/config/data-folder.ts';
import { listRoots } from '../../src/config/root.ts';
import { clients } from '../../src/setup/install.ts';
import { refuses, shapes } from '../hostile/clients.ts';
import { bind } from './story.ts';
import { atTerminal } from './terminal.ts';
import { bin, node } from './world.ts';
import { trustCodexHooks } from '../setup/codex-trust.ts';
import { row } from '../setup/security.ts';
import { until } from '../setup/until.ts';

/** Somebody with a fresh project and no `sekisho` on PATH. */
interface Newcomer {
  readonly home: string;
  readonly project: string;
  sekisho(
    args: readonly string[],
    cwd?: string,
  ): Promise<{ code: number | null; stdout: string; json: Record<string, any> }>;
  /** A person at a terminal: nobody else changes a project that is registered. */
  mend(args: readonly string[]): Promise<void>;
  /** What a person sees who types it. */
  type(args: readonly string[], cwd: string): Promise<string>;
  /** What a client would run, with what it would write to it. */
  start(command: string, input: object, cwd?: string): Promise<{ code: number | null; stdout: string }>;
}

// Each starts some twenty processes.
vi.setConfig({ testTimeout: 120_000 });

let folder: string | undefined;
afterEach(() => folder !== undefined && rmSync(folder, { recursive: true, force: true }));

function newcomer(): Newcomer {
  const mark = process.env['SEKISHO_TEST_RUN'] ?? 'sekisho-test';
  const home = (folder = realpathSync(mkdtempSync(join(tmpdir(), `${mark}-new-`))));
  const project = join(home, 'project');
  mkdirSync(project);
  const env = { PATH: '/usr/bin:/bin', HOME: home, LANG: 'C' };
  const run = (program: string, args: readonly string[], cwd: string, input = '') =>
    new Promise<{ code: number | null; stdout: string }>((done) => {
      const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
      child.stdin.on('error', () => undefined); // It may not read what it is told.
      child.stdin.end(input);
      child.once('close', (code) => done({ code, stdout }));
    });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project, env });
  writeFileSync(join(project, 'a.txt'), 'a');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  return {
    home,
    project,
    async sekisho(args, cwd = project) {
      const { code, stdout } = await run(node, [bin, ...args], cwd);
      let json: Record<string, any> = {};
      try {
        json = JSON.parse(stdout) as Record<string, any>;
      } catch {
        // For people.
      }
      return { code, stdout, json };
    },
    type: async (args, cwd) => (await atTerminal({ project: cwd, env }, args)).text,
    mend: async (args) => void (await atTerminal({ project, env }, args, { answers: { '[y/N]': 'y', '[Y/n]': '' } })),
    start: (command, input, cwd = project) => run('/bin/sh', ['-c', command], cwd, JSON.stringify(input)),
  };
}

const definition = `id: careful
version: "1"
initial_state: think
states:
  - { name: think, tool_permissions: { denied: [Write, Edit, Bash] } }
  - { name: act }
  - { name: done, is_final: true }
events: [{ name: go }, { name: finish }]
transitions:
  - { from: think, event: go, to: act }
  - { from: act, event: finish, to: done }
`;

interface Ring {
  readonly name: string;
  readonly client?: string;
  readonly state: string;
  readonly remedy?: string;
}

interface Rings {
  readonly code: number | null;
  readonly rings: readonly Ring[];
  find(name: string, client?: string): Ring | undefined;
}

async function ringsOf(who: Newcomer, cwd?: string): Promise<Rings> {
  const { json, code } = await who.sekisho(['status', '--json'], cwd);
  const rings = json['rings'] as readonly Ring[];
  return {
    code,
    rings,
    find: (name: string, client?: string) => rings.find((one) => one.name === name && one.client === client),
  };
}

/** Where each client looks for hooks, by its own documentation: in the home of its user, then in the folder that it is started in. */
const readBy: Readonly<Record<string, readonly [home: string, ...here: string[]]>> = {
  claude: ['.claude/settings.json', '.claude/settings.json', '.claude/settings.local.json'],
  codex: ['.codex/hooks.json', '.codex/hooks.json'],
  gemini: ['.gemini/settings.json', '.gemini/settings.json'],
  qwen: ['.qwen/settings.json', '.qwen/settings.json'],
  copilot: ['.copilot/hooks/sekisho.json', '.github/hooks/sekisho.json'],
  cursor: ['.cursor/hooks.json', '.cursor/hooks.json'],
  opencode: ['.config/opencode/plugins/sekisho.js', '.opencode/plugins/sekisho.js'],
  vscode: ['.copilot/hooks/sekisho-vscode.json', '.github/hooks/sekisho-vscode.json'],
};

/** The command that a client finds where it is started. */
function commandOf(who: Newcomer, client: string, cwd = who.project): string {
  const [home = '', ...here] = readBy[client] ?? [];
  const files = [join(who.home, home), ...here.map((path) => join(cwd, path))].filter((path) => existsSync(path));
  const texts = files.map((path) => readFileSync(path, 'utf8')).join('\n');
  const strings = (texts.match(/"(?:[^"\\\n]|\\.)*"/g) ?? []).map((one) => JSON.parse(one) as string);
  const found = strings.find((one) => one.includes(`hook pre-tool-use --client ${client}`));
  if (found === undefined) throw new Error(`no file leads ${client} to us`);
  return found;
}

/** What each client saw in one project that was prepared for all of them: `status` tries every client at once. */
interface Gated {
  readonly before: Rings;
  readonly after: Rings;
  readonly there: Rings;
  /** What `status` says to people in the worktree. */
  readonly told: string;
  readonly answers: ReadonlyMap<string, readonly { readonly code: number | null; readonly stdout: string }[]>;
}

async function gateEveryClient(): Promise<Gated> {
  const who = newcomer();
  expect((await who.sekisho(['init', ...clients.flatMap(({ id }) => ['--client', id])])).code).toBe(0);
  writeFileSync(join(who.project, '.sekisho/processes/careful.yaml'), definition);
  const { json: created } = await who.sekisho(['gate', 'create-run', '--process-id', 'careful', '--json']);
  expect(created['run_id']).toMatch(/^run-/);
  // Codex runs a hook once a person has trusted it there.
  trustCodexHooks(who.home);
  const before = await ringsOf(who);
  expect(before.rings.filter((one) => one.state === 'broken')).toEqual([]);
  // In a worktree too, though nothing of it was committed.
  const tree = join(who.home, 'tree');
  execFileSync('git', ['worktree', 'add', '-q', tree], { cwd: who.project });
  const answers = await Promise.all(
    clients.map(async ({ id }) => {
      const shape = shapes.find((one) => one.client === id);
      if (shape === undefined) throw new Error(`no shape of ${id}`);
      const ask = (cwd: string) => who.start(commandOf(who, id, cwd), { cwd, ...shape.write('a.txt') }, cwd);
      return [id, [await ask(who.project), await ask(tree)]] as const;
    }),
  );
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: who.project, encoding: 'utf8' })).not.toMatch(
    /settings\.local|hooks|plugins/,
  );
  return {
    before,
    after: await ringsOf(who),
    there: await ringsOf(who, tree),
    told: (await who.sekisho(['status'], tree)).stdout.replaceAll(/\s+/g, ' '),
    answers: new Map(answers),
  };
}

const gated = bind<Gated>(
  `${row('hooks.tools', 'hooks.untrusted', 'hooks.worktree')} every client is gated after init in a fresh project, from a shell without sekisho:`,
  (clause) => {
    for (const { id } of clients)
      clause(id, async ({ before, after, there, told, answers }) => {
        for (const ring of ['hooks', 'server'])
          for (const rings of [before, there])
            // VS Code takes servers from the folder that it has open.
            if (id !== 'vscode' || ring !== 'server' || rings === before)
              expect(rings.find(ring, id)).toMatchObject({ state: 'on' });
            else expect(rings.find(ring, id)?.remedy).toMatch(/^sekisho init '.*' --client vscode$/);
        expect(answers.get(id)).toMatchObject([{ code: 0 }, { code: 0 }]);
        for (const { stdout } of answers.get(id) ?? []) expect(refuses(stdout)).toBe(true);
        expect(after.find('receipts', id)).toMatchObject({ state: 'on' });
        // Some run hooks only in a folder that a person trusted: until one has asked, nobody can tell.
        if (before.find('trust', id) !== undefined)
          expect([before.find('trust', id)?.state, after.find('trust', id)?.state]).toEqual(['unknown', 'on']);
        expect(told).toMatch(new RegExp(`ring 1 \\(hooks\\): on here for [\\w, ]*\\b${id}\\b`));
      });
  },
);
test(gated.name, async () => gated.run(await gateEveryClient()));

/** What `doctor` says; each of its checks that is a ring has the ring's name. */
async function checksOf(who: Newcomer, cwd?: string) {
  const { code, json } = await who.sekisho(['doctor', '--json'], cwd);
  const checks = json['checks'] as readonly { name: string; ok: boolean; found: string; remedy?: string }[];
  return { code, find: (ring: string, client?: string) => checks.find((one) => one.name === nameOf(ring, client)) };
}

function nameOf(ring: string, client: string | undefined): string {
  return client === undefined ? ring : `${client} ${ring}`;
}

interface Break {
  readonly ring: string;
  readonly client: string | undefined;
  readonly remedy?: string;
  /** Rings that cannot hold without this one. */
  readonly takesAlong?: readonly string[];
  break_(who: Newcomer): void;
}

function trustFile(who: Newcomer, ending: '.json' | '.keys'): string {
  const folder = join(who.home, '.local/share/sekisho/state/trust');
  return join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? '');
}

function forgeCopy(who: Newcomer, text: string): void {
  writeFileSync(trustFile(who, '.json'), JSON.stringify({ '.sekisho/config.yaml': { digest: 'x', text } }));
}

function changeKeys(who: Newcomer, change: object): void {
  const { digest, keys } = JSON.parse(readFileSync(trustFile(who, '.keys'), 'utf8')) as {
    digest: string;
    keys: object;
  };
  writeFileSync(trustFile(who, '.keys'), JSON.stringify({ digest, keys: { ...keys, ...change } }));
}

describe(`${row('hooks.path')} a ring that breaks is named by status and doctor, with the command that mends it:`, () => {
  /** What breaks together is told apart: no break of a round hides another. */
  const rounds: readonly Readonly<Record<string, Break>>[] = [
    // First: init writes the file that it wrote before, which is the trusted one.
    {
      'the project’s folder is gone': {
        ring: 'project',
        client: undefined,
        takesAlong: ['trust'],
        break_: (who) => renameSync(join(who.project, '.sekisho'), join(who.home, 'elsewhere')),
      },
    },
    {
      'the hooks file is gone': {
        ring: 'hooks',
        client: 'claude',
        break_: (who) => rmSync(join(who.home, '.claude/settings.json')),
      },
      'the server’s entry is gone': {
        ring: 'server',
        client: 'claude',
        break_: (who) => writeFileSync(join(who.home, '.claude.json'), '{}'),
      },
      'the configuration is not what a person saw': {
        ring: 'trust',
        client: undefined,
        remedy: 'sekisho trust',
        break_: (who) => writeFileSync(join(who.project, '.sekisho/config.yaml'), 'lang: en\n'),
      },
    },
    {
      'the hooks file is another': {
        ring: 'hooks',
        client: 'claude',
        break_: (who) => writeFileSync(join(who.home, '.claude/settings.json'), '{"hooks":{}}'),
      },
      'the server’s program leads to nothing': {
        ring: 'server',
        client: 'claude',
        break_(who) {
          const file = join(who.home, '.claude.json');
          writeFileSync(file, readFileSync(file, 'utf8').replaceAll('app/sekisho', 'nowhere/sekisho'));
        },
      },
      'the copy of what is trusted is not what a person trusted': {
        ring: 'trust',
        client: undefined,
        remedy: 'sekisho trust',
        break_: (who) => forgeCopy(who, '# another\n'),
      },
    },
    {
      'the hook leads to nothing': {
        ring: 'hooks',
        client: 'claude',
        break_(who) {
          const file = join(who.home, '.claude/settings.json');
          writeFileSync(file, readFileSync(file, 'utf8').replaceAll('app/sekisho', 'nowhere/sekisho'));
        },
      },
    },
    {
      'a bare name is not on the client’s PATH': {
        ring: 'hooks',
        client: 'claude',
        break_(who) {
          const file = join(who.home, '.claude/settings.json');
          writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"[^"]*app\/sekisho hook/g, '"sekisho hook'));
        },
      },
    },
    {
      'the program is gone': {
        takesAlong: ['claude hooks', 'claude server'],
        ring: 'program',
        client: undefined,
        break_: (who) => rmSync(join(who.home, '.local/share/sekisho/app'), { recursive: true }),
      },
    },
    {
      'the keys that hooks read are not those of the trusted configuration': {
        takesAlong: ['claude hooks'],
        ring: 'trust',
        client: undefined,
        remedy: 'sekisho trust',
        break_: (who) => changeKeys(who, { projectKey: 'other' }),
      },
    },
  ];

  /** That nothing else is broken shows that the remedies of the round before helped. */
  const tryRound = async (who: Newcomer, round: readonly Break[]) => {
    for (const one of round) one.break_(who);
    // One after the other: what tries the sandbox puts a folder in place of a missing one for a moment.
    const rings = await ringsOf(who);
    const doctor = await checksOf(who);
    expect([rings.code, doctor.code]).toEqual([1, 1]);
    const broken = rings.rings.filter((one) => one.state === 'broken').map((one) => nameOf(one.name, one.client));
    const expected = round.flatMap(({ ring, client, takesAlong = [] }) => [nameOf(ring, client), ...takesAlong]);
    expect(broken.toSorted()).toEqual(expected.toSorted());
    for (const { ring, client, remedy = 'sekisho init' } of round) {
      const said = { remedy: expect.stringContaining(remedy) };
      expect(rings.find(ring, client)).toMatchObject({ state: 'broken', ...said });
      expect(doctor.find(ring, client)).toMatchObject({ ok: false, ...said });
    }
    if (round.some((one) => one.remedy === 'sekisho trust')) await who.mend(['trust']);
    if (round.some((one) => one.remedy === undefined)) await who.mend(['init', '--client', 'claude']);
  };
  const prepared = async () => {
    const who = newcomer();
    expect((await who.sekisho(['init', '--client', 'claude'])).code).toBe(0);
    return who;
  };
  const expectWhole = async (who: Newcomer) =>
    expect([(await ringsOf(who)).code, (await who.sekisho(['doctor'])).code]).toEqual([0, 0]);

  const { name, run } = bind<{ who: Newcomer }>('in rounds', (clause) => {
    for (const round of rounds) clause(Object.keys(round).join('; '), ({ who }) => tryRound(who, Object.values(round)));
  });
  test(name, async () => {
    const who = await prepared();
    await expectWhole(who);
    await run({ who });
    await expectWhole(who);
  });

  test('a hook that looks under another project key than the servers', async () => {
    const who = await prepared();
    changeKeys(who, { projectKey: 'other' });
    expect((await ringsOf(who)).find('hooks', 'claude')).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('project key other'),
    });
  });

  test('a configuration that was changed together with the copy of what is trusted: trust puts the copy back, then the change is seen', async () => {
    const who = await prepared();
    const text = '# another\n';
    writeFileSync(join(who.project, '.sekisho/config.yaml'), text);
    forgeCopy(who, text);
    await who.mend(['trust']);
    expect((await ringsOf(who)).find('trust')).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('changed since a person reviewed it'),
    });
    await who.mend(['trust']);
    expect((await ringsOf(who)).code).toBe(0);
  });

  test('hooks of every project have their keys after the next init, which brings a new program', async () => {
    const who = await prepared();
    const file = trustFile(who, '.keys');
    rmSync(file);
    const other = join(who.home, 'other');
    mkdirSync(other);
    await who.sekisho(['init'], other);
    expect(existsSync(file)).toBe(true);
  });

  test('hooks that cannot read the trusted configuration, where no command can mend it', async () => {
    const who = await prepared();
    const file = trustFile(who, '.keys');
    rmSync(file);
    mkdirSync(file);
    expect((await ringsOf(who)).find('trust', undefined)).toMatchObject({ state: 'broken', remedy: 'sekisho trust' });
    const doctor = await checksOf(who);
    expect(doctor.code).toBe(1);
    expect(doctor.find('trust')).toMatchObject({ ok: false, remedy: 'sekisho trust' });
    rmSync(file, { recursive: true });
    expect((await ringsOf(who)).code).toBe(0);
  });

  test(`${row('hooks.worktree')} a worktree without the files that a project shares: status, start and doctor say so there`, async () => {
    const who = newcomer();
    await who.sekisho(['init', '--client', 'claude', '--client', 'codex']);
    trustCodexHooks(who.home);
    await who.mend(['init', '--client', 'gemini', '--shared']);
    const tree = join(who.home, 'tree');
    execFileSync('git', ['worktree', 'add', '-q', tree], { cwd: who.project });
    const remedy = `sekisho init '${tree}' --client gemini`;
    const there = await ringsOf(who, tree);
    expect(there.find('hooks', 'gemini')).toMatchObject({ state: 'broken', remedy });
    const doctor = await checksOf(who, tree);
    expect(doctor.code).toBe(1);
    expect(doctor.find('hooks', 'gemini')).toMatchObject({ ok: false, remedy });
    // These are of the user, wherever the work is done.
    for (const client of ['claude', 'codex']) expect(there.find('hooks', client)).toMatchObject({ state: 'on' });
    expect((await ringsOf(who)).find('hooks', 'gemini')).toMatchObject({ state: 'on' });
    const told = [
      'ring 1 (hooks): on here for claude, codex',
      'ring 1 (hooks): off here for gemini:',
      '→ sekisho init',
    ];
    const words = ['start', 'explore-plan-implement-verify', '--lang'];
    for (const args of [
      ['status', '--lang', 'en'],
      [...words, 'en'],
    ]) {
      // As wide as the terminal is.
      const text = stripVTControlCharacters(await who.type(args, tree)).replaceAll(/\s+/g, ' ');
      for (const line of told) expect(text).toContain(line);
    }
    expect(await who.type([...words, 'ja'], tree)).toContain('リング 1 (フック): ここで有効: claude, codex');
    const { json } = await who.sekisho(['status', '--json'], tree);
    expect(json['rings']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ client: 'claude', state: 'on' }),
        expect.objectContaining({ client: 'gemini', state: 'broken', remedy }),
      ]),
    );
    await who.mend(['init', tree, '--client', 'gemini']);
    expect((await ringsOf(who, tree)).find('hooks', 'gemini')).toMatchObject({ state: 'on' });
  });

  test(`${row('hooks.off')} a file of the project that switches all hooks off`, async () => {
    const who = newcomer();
    await who.sekisho(['init', '--client', 'claude', '--client', 'copilot', '--client', 'vscode']);
    const off = (isOff: boolean) => `{ "disableAllHooks": ${isOff} }`;
    const files = [
      ['claude', '.claude/settings.json', off],
      ['copilot', '.github/copilot/settings.json', off],
      ['vscode', '.vscode/settings.json', (isOff: boolean) => `{ "chat.useHooks": ${!isOff} }`],
      [
        'vscode',
        '.vscode/settings.json',
        (isOff: boolean) => `{\n"chat.hookFilesLocations": {\n"a": true,\n".github/hooks": ${!isOff}\n}\n}`,
      ],
    ] as const;
    for (const [client, path, text] of files) {
      const file = join(who.project, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text(true));
      expect((await ringsOf(who)).find('hooks', client)).toMatchObject({
        state: 'broken',
        found: expect.stringContaining(file),
      });
      writeFileSync(file, text(false));
      expect((await ringsOf(who)).find('hooks', client)).toMatchObject({ state: 'on' });
    }
  });

  test('a project that was never prepared for a client which another one made ask', async () => {
    const who = newcomer();
    await who.sekisho(['init', '--client', 'claude']);
    const other = join(who.home, 'other');
    mkdirSync(other);
    await who.sekisho(['init'], other);
    const there = await ringsOf(who, other);
    expect(there.code).toBe(0);
    expect(there.find('hooks', 'claude')).toMatchObject({ state: 'on' });
    expect(there.find('server', 'claude')).toMatchObject({ state: 'off' });
    // In a folder that is nobody's project there is no opinion, and nothing is left behind.
    const stores = join(who.home, '.local/share/sekisho/state/stores');
    const [before, nowhere] = [readdirSync(stores), join(who.home, 'nowhere')];
    mkdirSync(nowhere);
    for (const event of ['session-start', 'pre-tool-use', 'post-tool-use', 'stop']) {
      const input = { session_id: 's', cwd: nowhere, tool_name: 'Write', tool_input: { file_path: 'a.txt' } };
      const said = await who.start(commandOf(who, 'claude').replace('pre-tool-use', event), input, nowhere);
      expect(said).toEqual({ code: 0, stdout: '' });
    }
    expect([readdirSync(stores), readdirSync(nowhere)]).toEqual([before, []]);
  });

  test('Claude Code looks for its server by the main checkout, so that is where init writes it', async () => {
    const who = newcomer();
    const tree = join(who.home, 'tree');
    execFileSync('git', ['worktree', 'add', '-q', tree], { cwd: who.project });
    mkdirSync(join(who.project, 'sub'));
    for (const folder of [join(who.project, 'sub'), tree]) await who.sekisho(['init', folder, '--client', 'claude']);
    const { projects } = JSON.parse(readFileSync(join(who.home, '.claude.json'), 'utf8')) as { projects: object };
    expect(Object.keys(projects)).toEqual([who.project]);
    for (const folder of [join(who.project, 'sub'), tree])
      expect((await ringsOf(who, folder)).find('server', 'claude')).toMatchObject({ state: 'on' });
  });

  test(`${row('hooks.silent')} a client that was prepared and never asks: the transition says so, its journal row too, and doctor fails`, async () => {
    const who = newcomer();
    await who.sekisho(['init', '--client', 'claude']);
    writeFileSync(join(who.project, '.sekisho/processes/careful.yaml'), definition);
    await who.sekisho(['gate', 'create-run', '--process-id', 'careful']);
    expect((await who.sekisho(['gate', 'get-state', '--json'])).json).toMatchObject({
      hooks: { prepared: ['claude'], receipts: 0 },
      warnings: [expect.stringContaining('claude')],
    });
    const emit = [
      'gate',
      'emit-event',
      '--event-name',
      'go',
      '--expected-revision',
      '0',
      '--idempotency-key',
      'k',
      '--json',
    ];
    const moved = await who.sekisho(emit);
    expect(moved.json['warnings']).toEqual([expect.stringContaining('sekisho doctor')]);
    const { json } = await who.sekisho(['journal', 'list', '--json']);
    const rows = json['entries'] as { kind: string; data: Record<string, unknown> }[];
    expect(rows.find((one) => one.kind === 'run.event')?.data['warnings']).toEqual(moved.json['warnings']);
    expect((await who.sekisho(['doctor'])).code).toBe(1);
    const input = { session_id: 's', cwd: who.project, tool_name: 'Read', tool_input: {} };
    await who.start(commandOf(who, 'claude'), input);
    expect((await who.sekisho(['doctor'])).code).toBe(0);
    expect((await who.sekisho(['gate', 'get-state', '--json'])).json['warnings']).toBeUndefined();
  });

  test(`${row('hooks.untrusted')} a session of Codex that bypassed hook trust turns nothing green, and a person’s trust does`, async () => {
    const who = newcomer();
    expect((await who.sekisho(['init', '--client', 'codex', '--trust-folder'])).stdout).toContain('/hooks');
    writeFileSync(join(who.project, '.sekisho/processes/careful.yaml'), definition);
    await who.sekisho(['gate', 'create-run', '--process-id', 'careful']);
    // The hook ran, so somebody bypassed the trust: the next session without that flag skips it.
    const shape = shapes.find((one) => one.client === 'codex');
    await who.start(commandOf(who, 'codex'), { cwd: who.project, ...shape?.write('a.txt') });
    const untrusted = await ringsOf(who);
    expect(untrusted).toMatchObject({ code: 1 });
    expect(untrusted.find('receipts', 'codex')).toMatchObject({ state: 'on' });
    expect(untrusted.find('trust', 'codex')).toBeUndefined();
    expect(untrusted.find('hooks', 'codex')).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('you have not trusted it there'),
      remedy: 'codex',
    });
    const checks = await checksOf(who);
    expect(checks.code).toBe(1);
    expect(checks.find('hooks', 'codex')).toMatchObject({ ok: false, remedy: 'codex' });
    expect((await who.sekisho(['status'])).stdout).toContain('ring 1 (hooks): off here for codex');
    trustCodexHooks(who.home);
    const trusted = await ringsOf(who);
    expect(trusted).toMatchObject({ code: 0 });
    expect(trusted.find('hooks', 'codex')).toMatchObject({ state: 'on' });
    expect((await who.sekisho(['init', '--client', 'codex', '--dry-run'])).code).toBe(0);
    const config = join(who.home, '.codex/config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('trusted_hash = "sha256:', 'trusted_hash = "sha256:0'));
    expect((await ringsOf(who)).find('hooks', 'codex')).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('has changed since'),
    });
    writeFileSync(config, `[features]\nhooks = false\n\n${readFileSync(config, 'utf8')}`);
    expect((await ringsOf(who)).find('hooks', 'codex')).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('switches all hooks off'),
    });
  });

  test(`${row('hooks.silent', 'hooks.untrusted')} a client that edits where the state denies it and asks no hook turns the ring red`, async () => {
    const who = newcomer();
    await who.sekisho(['init', '--client', 'codex']);
    trustCodexHooks(who.home);
    await who.sekisho(['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']);
    // The state asks for this one.
    writeFileSync(join(who.project, 'exploration.md'), 'notes');
    const before = await ringsOf(who);
    expect(before).toMatchObject({ code: 0 });
    expect(before.find('receipts', 'codex')).toMatchObject({ state: 'unknown' });
    writeFileSync(join(who.project, 'a.txt'), 'edited without asking');
    const after = await ringsOf(who);
    expect(after).toMatchObject({ code: 1 });
    expect(after.find('receipts', 'codex')).toMatchObject({
      state: 'broken',
      found: expect.stringMatching(/"explore".*a\.txt/),
    });
    expect((await who.sekisho(['status', '--json', '--lang', 'ja'])).stdout).toContain(
      '編集を禁止しているファイルが変更',
    );
    await who.mend(['admin', 'accept-changes']);
    expect(await ringsOf(who)).toMatchObject({ code: 0 });
  });

  test(`${row('hooks.silent')} a client that asked, handed in and ended is no fault, and no warning once the run goes on`, async () => {
    const who = await prepared();
    writeFileSync(join(who.project, '.sekisho/processes/careful.yaml'), definition);
    await who.sekisho(['gate', 'create-run', '--process-id', 'careful']);
    const input = { session_id: 's', cwd: who.project, tool_name: 'Read', tool_input: {} };
    await who.start(commandOf(who, 'claude'), input);
    const go = ['--event-name', 'go', '--expected-revision', '0', '--idempotency-key', 'k', '--json'];
    expect((await who.sekisho(['gate', 'emit-event', ...go])).json).toMatchObject({ success: true });
    const after = await ringsOf(who);
    expect(after).toMatchObject({ code: 0 });
    expect(after.find('receipts', 'claude')).toMatchObject({
      state: 'unknown',
      found: expect.stringContaining('"act"'),
    });
    expect((await who.sekisho(['doctor'])).code).toBe(0);
    const { json } = await who.sekisho(['gate', 'get-state', '--json']);
    expect(json).toMatchObject({ current_state: 'act', hooks: { receipts: 0 } });
    expect(json['warnings']).toBeUndefined();
  });
});

/** What a clone has after `npm ci`. */
function cloneInto(home: string): string {
  const root = join(import.meta.dirname, '../..');
  const clone = join(home, 'sekisho');
  for (const name of ['bin', 'dist', 'processes', 'prompts', 'package.json'])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  execFileSync('git', ['init', '-q', clone]);
  return clone;
}

test.for([
  ['en', 'No project is registered yet'],
  ['ja', 'プロジェクトがまだ登録されていません'],
] as const)('the first start in a fresh clone registers nothing and says what to type (%s)', async ([lang, none]) => {
  const { home } = newcomer();
  const clone = cloneInto(home);
  const program = join(clone, 'bin/sekisho');
  const env = { PATH: '/usr/bin:/bin', HOME: home, LANG: 'C', SEKISHO_LANG: lang };
  const steps = [
    none,
    `export PATH="${join(clone, 'bin')}:$PATH"`,
    'sekisho demo',
    'cd your-project && sekisho init --client claude',
  ];
  const child = spawn(node, [program, 'up', '--port', '0'], { cwd: clone, env });
  try {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    await until('the greeting', () => out.includes('Ctrl-C'));
    for (const part of ['http://127.0.0.1:', 'sekisho open', ...steps]) expect(out).toContain(part);
    expect(out).not.toContain('✗');
    expect(out).not.toContain(`${clone}\n`);
  } finally {
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await ended;
  }
  expect(existsSync(join(clone, '.sekisho'))).toBe(false);
  expect(listRoots(dataFolder(env))).toEqual([]);
  try {
    const behind = execFileSync(node, [program, 'up', '--background', '--port', '0'], { cwd: clone, env });
    for (const part of steps) expect(behind.toString()).toContain(part);
    expect(listRoots(dataFolder(env))).toEqual([]);
  } finally {
    execFileSync(node, [program, 'down'], { env });
  }
});

test('a session in a project without a run begins with how to start one', async () => {
  const who = newcomer();
  await who.sekisho(['init', '--client', 'claude']);
  const command = commandOf(who, 'claude').replace('pre-tool-use', 'session-start');
  const { stdout } = await who.start(command, { session_id: 's', cwd: who.project, source: 'startup' });
  expect(stdout).toContain('state_gate.create_run');
  expect(readFileSync(join(who.project, 'CLAUDE.md'), 'utf8')).toContain('Start a Sekisho run');
});

test('what clients write by themselves as they start is no change of the work; that a hook is gone is one', async () => {
  const who = newcomer();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: who.project, encoding: 'utf8' });
  await who.sekisho(['init', '--client', 'qwen', '--client', 'opencode', '--client', 'claude', '--shared']);
  git('add', '-A');
  git('commit', '-qm', 'prepared');
  await who.sekisho(['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']);
  const settings = join(who.project, '.qwen/settings.json');
  const before = readFileSync(settings, 'utf8');
  const change = (path: string, change_: (value: Record<string, unknown>) => object) => {
    const file = join(who.project, path);
    writeFileSync(file, JSON.stringify(change_(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)));
  };
  // As Qwen Code 0.24, opencode 1.18 and Claude Code were seen to.
  change('.qwen/settings.json', (value) => ({ ...value, $version: 4 }));
  change('opencode.json', (value) => ({ $schema: 'https://opencode.ai/config.json', ...value }));
  mkdirSync(join(who.project, '.opencode/node_modules/@opencode-ai'), { recursive: true });
  writeFileSync(join(who.project, '.opencode/node_modules/@opencode-ai/plugin.js'), '');
  writeFileSync(join(who.project, '.opencode/package.json'), '{}');
  writeFileSync(join(who.project, '.claude/settings.local.json'), '{"permissions":{"allow":["Bash(ls)"]}}');
  expect(git('status', '--porcelain', '-uall')).not.toContain('.opencode');
  writeFileSync(join(who.project, 'exploration.md'), 'The program greets; a change would touch a.txt alone.');
  const submit = async (revision: number) => {
    const words = ['gate', 'emit-event', '--event-name', 'submit_exploration', '--expected-revision', `${revision}`];
    const more = ['--idempotency-key', `k-${revision}`, '--artifact-paths', 'exploration.md', '--json'];
    return (await who.sekisho([...words, ...more])).json['result'] as Record<string, any>;
  };
  const honest = readFileSync(settings, 'utf8');
  change('.qwen/settings.json', ({ hooks: _hooks, ...value }) => value);
  expect(await submit(0)).toMatchObject({
    moved: false,
    missing_guards: [expect.stringContaining('.qwen/settings.json')],
  });
  writeFileSync(settings, honest);
  expect(honest).not.toBe(before);
  expect(await submit(1)).toMatchObject({ transition: { to_state: 'plan' } });
});

test('a store that was removed does not open the gate: hooks refuse, status and doctor say so, a person mends it', async () => {
  const who = newcomer();
  await who.sekisho(['init', '--client', 'claude']);
  writeFileSync(join(who.project, '.sekisho/processes/careful.yaml'), definition);
  await who.sekisho(['gate', 'create-run', '--process-id', 'careful']);
  const ask = (event: string, input: object) =>
    who.start(commandOf(who, 'claude').replace('pre-tool-use', event), { session_id: 's', cwd: who.project, ...input });
  const reading = { tool_name: 'Read', tool_input: { file_path: 'a.txt' } };
  expect((await ask('pre-tool-use', reading)).stdout).toBe('');
  const stores = join(who.home, '.local/share/sekisho/state/stores');
  const store = join(stores, readdirSync(stores)[0] ?? '', 'sekisho.db');
  expect((await ringsOf(who)).find('store')).toMatchObject({ state: 'on' });
  // Somebody else's hand: it is emptied, or gone with all that belongs to it.
  const kept = readFileSync(store);
  for (const file of [store, `${store}-wal`, `${store}-shm`]) rmSync(file, { force: true });
  for (const lose of [() => undefined, () => writeFileSync(store, '')]) {
    lose();
    const refused = await ask('pre-tool-use', reading);
    expect(refuses(refused.stdout)).toBe(true);
    expect(refused.stdout).toContain('sekisho.db is gone');
    // Only a question about a tool can be answered by a no.
    expect(refuses((await ask('stop', {})).stdout)).toBe(false);
    const broken = await ringsOf(who);
    expect(broken.code).toBe(1);
    expect(broken.find('store')).toMatchObject({ state: 'broken', remedy: 'sekisho init' });
    const doctor = await who.sekisho(['doctor', '--lang', 'ja']);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain('データベース');
    // Nobody begins another one by the way.
    expect((await who.sekisho(['gate', 'list-runs', '--json'])).json).toMatchObject({ code: 'STORE_REMOVED' });
  }
  // Put back it is the old one; a person may also begin anew.
  writeFileSync(store, kept);
  expect((await ask('pre-tool-use', reading)).stdout).toBe('');
  expect((await ringsOf(who)).find('store')).toMatchObject({ state: 'on' });
  for (const file of [store, `${store}-wal`, `${store}-shm`]) rmSync(file, { force: true });
  expect((await who.sekisho(['init'])).code).toBe(1);
  expect(refuses((await ask('pre-tool-use', reading)).stdout)).toBe(true);
  await who.mend(['init', '--yes']);
  expect((await ask('pre-tool-use', reading)).stdout).toBe('');
  expect((await ringsOf(who)).code).toBe(0);
});
