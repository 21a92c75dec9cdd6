import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { attacks } from '../fixtures/sandbox/attacks.ts';
import { type World, createWorld, removeTemplate } from '../fixtures/sandbox/world.ts';
import { row } from '../setup/security.ts';

const missing = getBubblewrap();
if (missing !== undefined) {
  if (process.env['CI'] !== undefined) throw new Error(`The sandbox cannot be tested: ${missing}`);
  process.stderr.write(`\n*** THE SANDBOX IS NOT TESTED: ${missing} ***\n\n`);
}

/** What a person's shell has, and an agent must not. */
const secrets = { PGPASSWORD: 'p', SEKISHO_TOKEN: 't', SEKISHO_DB: 'postgres://u:p@h/d', SSH_AUTH_SOCK: '/tmp/agent' };

let world: World;

describe.skipIf(missing !== undefined)('in the sandbox, as an ordinary user', () => {
  let before: Readonly<Record<string, string>>;

  beforeAll(async () => {
    world = await createWorld();
    before = world.fingerprint();
  });
  afterAll(async () => {
    world.remove();
    await removeTemplate();
  });

  test(`${row('sandbox.reach')} the real profile starts here`, () => {
    expect(world.probe()).toEqual({ kind: 'bwrap' });
  });

  test.each(attacks)(`${row('sandbox.reach')} it is impossible: $name`, ({ script }) => {
    const { code, output } = world.inside(script, {}, secrets);
    expect(output).not.toMatch(/^bwrap:/);
    expect({ code, output }).not.toMatchObject({ code: 0 });
    expect(code).not.toBe(99);
    expect(world.fingerprint()).toEqual(before);
  });

  test.each(attacks.filter(({ works }) => works !== false))(
    `${row('sandbox.reach')} outside it would be possible: $name`,
    async ({ script }) => {
      const other = await createWorld();
      try {
        expect(other.outside(script, secrets)).toMatchObject({ code: 0 });
      } finally {
        other.remove();
      }
    },
  );

  test.each([
    ['write a file', 'echo x > new.txt && mkdir -p a/b && mv new.txt a/b && rm -r a'],
    ['run a test', 'node index.js'],
    ['npm', 'npm test --silent'],
    ['commit', 'echo x >> index.js && git commit -qam second && git log --oneline | grep -q second'],
    [
      'branch and merge',
      'git switch -qc topic && git commit -q --allow-empty -m t && git switch -q main && git merge -q topic',
    ],
    ['list worktrees', 'git worktree list | grep -q main'],
    ['no change of the gate’s files in git', '[ -z "$(git status --porcelain .sekisho .claude .mcp.json)" ]'],
    ['read the configuration', 'grep -q lang .sekisho/config.yaml'],
    ['a private /tmp', 'echo x > /tmp/x && [ "$(ls -A /tmp)" = x ]'],
    [
      'threads',
      "node -e \"new (require('worker_threads').Worker)('1', {eval: true}).on('exit', c => process.exit(c))\"",
    ],
    [
      'listen on loopback',
      "node -e \"const s = require('net').createServer().listen(0, '127.0.0.1', () => s.close())\"",
    ],
    [
      'a socket in the project',
      "node -e \"const s = require('net').createServer().listen('s.sock', () => s.close())\"",
    ],
    ['caches of its own', 'echo x > ~/.npm/x && mkdir -p ~/.cache/x'],
    [
      'state of the client',
      'mkdir -p ~/.claude/todos && echo x > $CLAUDE_CONFIG_DIR/todos/x && grep -q text ~/.claude/.claude.json',
    ],
    ['our program', 'node $D/app/1.0.0/cli.cjs'],
    ['the session’s folder', 'cat /run/sekisho/settings.json'],
    ['know that it is inside', '[ "$SEKISHO_SANDBOX" = bwrap ]'],
    ['a terminal', 'script -qec "test -t 0 && stty size" /dev/null'],
  ])(`${row('sandbox.everyday')} it is possible: %s`, (_, script) => {
    expect(world.inside(script)).toMatchObject({ code: 0 });
  });

  test(`${row('sandbox.kernel')} kernel settings can be read inside, and not even root can open one for writing`, async () => {
    const other = await createWorld();
    const writable = 'find /proc/sys /proc/sysrq-trigger /proc/irq /proc/bus -type f -writable 2>/dev/null | head -n 3';
    expect(other.insideAsTester(`cat /proc/sys/kernel/ostype; ${writable}`)).toEqual({ code: 0, output: 'Linux' });
    other.remove();
  });

  test(`${row('sandbox.everyday')} what the sandbox had to make in the project is gone afterwards`, () => {
    world.inside('ls -A');
    const made = ['.qwen', '.cursor', '.github', 'opencode.json', '.vscode', '.git/config.worktree', '.git/worktrees'];
    for (const name of made) expect(existsSync(join(world.project, name))).toBe(false);
    expect(readdirSync(join(world.data, 'sandbox'))).toEqual([]);
  });

  test(`${row('sandbox.everyday')} folders that nobody may write to are removed with it, and keep no other from starting`, () => {
    expect(
      world.inside('mkdir -p ~/.cache/a/b ~/.npm/c && touch ~/.npm/c/d && chmod 0 ~/.cache/a ~/.npm/c'),
    ).toMatchObject({ code: 0 });
    expect(world.inside('true')).toMatchObject({ code: 0 });
    expect(readdirSync(join(world.data, 'sandbox'))).toEqual([]);
  });

  test(`${row('sandbox.replaced')} a second sandbox that ends does not uncover the first; what a killed one has left, the next one removes`, async () => {
    const first = world.startInside('echo ready; sleep 60');
    await once(first.stdout, 'data');
    world.inside('true');
    expect(existsSync(join(world.project, '.qwen'))).toBe(true);
    first.kill('SIGKILL');
    await once(first, 'close');
    await expect.poll(() => (world.inside('true'), existsSync(join(world.project, '.qwen')))).toBe(false);
  });

  test(`${row('sandbox.replaced')} files that are replaced from outside stay covered`, async () => {
    const look =
      'cat .sekisho/*.token ~/.pgpass $D/state/agent.token; echo x >> .sekisho/config.yaml; echo x > .claude/y';
    const agent = world.startInside(`echo ready; while [ ! -e go ]; do sleep 0.05; done; ${look}; echo end`);
    let said = '';
    agent.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(agent.stdout, 'data');
    const replace = 'echo new > fresh && mv fresh';
    world.outside(
      `${replace} .sekisho/human.token; ${replace} .sekisho/config.yaml; ${replace} ~/.pgpass; ${replace} .claude/settings.json; touch go`,
    );
    await once(agent, 'close');
    expect(said).toBe('ready\nend\n');
    expect(readFileSync(join(world.project, '.sekisho/config.yaml'), 'utf8')).toBe('new\n');
    expect(existsSync(join(world.project, '.claude/y'))).toBe(false);
  });

  test(`${row('sandbox.outlive')} killing the one who started it ends everything inside`, async () => {
    const agent = world.startInside('(setsid sleep 4242 &); echo ready; sleep 60');
    await once(agent.stdout, 'data');
    expect(world.outside('pgrep -f "sleep 4242"')).toMatchObject({ code: 0 });
    agent.kill('SIGKILL');
    await expect.poll(() => world.outside('pgrep -xf "sleep 4242"').code).toBe(1);
  });

  describe('sockets', () => {
    const connect = (path: string) =>
      `node -e "require('net').connect('${path}').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"`;
    // A process of its own, killed in the end, leaves the file: other tests' sandboxes cover what they saw a moment ago.
    const listen = async (path: string) => {
      const script = `require('net').createServer((one) => one.end()).listen(${JSON.stringify(path)}, () => console.log('ready'))`;
      const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
      if (!path.startsWith('\0')) chmodSync(path, 0o777);
      onTestFinished(async () => {
        server.kill('SIGKILL');
        await once(server, 'exit');
      });
    };

    test(`${row('sandbox.sockets')} one in the home that somebody listens on is out of reach unless it is allowed`, async () => {
      const path = join(world.home, '.local/state.sock');
      await listen(path);
      expect(world.inside(connect(path))).toMatchObject({ code: 1 });
      expect(world.inside(connect(path), { allow: [path] })).toMatchObject({ code: 0 });
      expect(world.outside(connect(path))).toMatchObject({ code: 0 });
    });

    test(`${row('sandbox.sockets')} the session’s own can be reached`, async () => {
      await listen(join(world.place.session ?? '', 'agent.sock'));
      expect(world.inside(connect('/run/sekisho/agent.sock'))).toMatchObject({ code: 0 });
    });

    test(`${row('sandbox.sockets')} an agent for keys is there when it is allowed by its name`, async () => {
      const path = join(world.base, 'agent.sock');
      await listen(path);
      const ask = `[ -n "$SSH_AUTH_SOCK" ] && ${connect('$SSH_AUTH_SOCK')}`;
      expect(world.inside(ask, {}, { SSH_AUTH_SOCK: path })).toMatchObject({ code: 1 });
      expect(world.inside(ask, { allow: ['ssh-agent'] }, { SSH_AUTH_SOCK: path })).toMatchObject({ code: 0 });
    });

    test(`${row('sandbox.network')} an abstract one can be reached: the network is shared`, async () => {
      const name = `sekisho-abstract-${process.pid}`;
      await listen(`\0${name}`);
      const script = connect(String.raw`\x00${name}`);
      expect(world.inside(script)).toMatchObject({ code: 0 });
    });
  });

  describe('what is not covered is said', () => {
    test(`${row('sandbox.git')} git’s configuration, once somebody outside has replaced it`, async () => {
      const other = await createWorld();
      const agent = other.startInside(
        'echo ready; while [ ! -e go ]; do sleep 0.05; done; git config a.b c && echo written',
      );
      let said = '';
      agent.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await once(agent.stdout, 'data');
      other.outside('git config x.y z; touch go');
      await once(agent, 'close');
      expect(said).toContain('written');
      other.remove();
    });
  });

  test.each([
    ['below /tmp', '/tmp'],
    ['below /var/tmp', '/var/tmp'],
  ])(`${row('sandbox.reach')} a project %s is held as well`, async (_, parent) => {
    const other = await createWorld(parent);
    try {
      const untouched = other.fingerprint();
      expect(
        other.inside('echo x > f && git commit -q --allow-empty -m x && ls ~ && node $D/app/1.0.0/cli.cjs'),
      ).toMatchObject({ code: 0 });
      for (const script of [
        'mv $B $B-2',
        'echo x >> .sekisho/config.yaml',
        'cat $D/state/user.db',
        'echo x >> ~/.bashrc',
        'mv ~/src ~/s2',
      ])
        expect(other.inside(script)).not.toMatchObject({ code: 0 });
      expect(other.fingerprint()).toEqual(untouched);
    } finally {
      other.remove();
    }
  });

  test(`${row('sandbox.reach')} a worktree is writable, and the main checkout is not`, async () => {
    const other = await createWorld();
    const tree = join(other.data, 'worktrees/s/w1');
    other.outside(`mkdir -p $(dirname ${tree}) && git worktree add -q ${tree}`);
    const changes = { tree, cwd: tree, record: join(other.project, '.git/worktrees/w1') };
    expect(
      other.inside('echo x > f && git add f && git commit -qm w && git log --oneline | grep -q w', changes),
    ).toMatchObject({ code: 0 });
    for (const script of [
      'echo x > $P/f',
      'echo x > .git',
      'echo x > .sekisho/x',
      'echo x > $P/.sekisho/x',
      'cat $P/.sekisho/human.token',
      'ls $D/state',
      'echo x > .claude/x',
    ])
      expect({ script, ...other.inside(script, changes) }).not.toMatchObject({ code: 0 });
    other.remove();
  });

  describe(`${row('sandbox.worktrees')} what git keeps about worktrees`, () => {
    const own = '$P/.git/worktrees/w1';
    const others = '$P/.git/worktrees/w2';
    let other: World;
    let changes: { readonly tree: string; readonly cwd: string; readonly record: string };

    beforeAll(async () => {
      other = await createWorld();
      const tree = join(other.base, 'w1');
      changes = { tree, cwd: tree, record: join(other.project, '.git/worktrees/w1') };
      expect(other.outside('git worktree add -q $B/w1 && git worktree add -q $B/w2')).toMatchObject({ code: 0 });
      expect(
        other.outside(`mkdir evil && cp -r .git evil && git -C evil config core.fsmonitor 'touch $B/ran #'`),
      ).toMatchObject({ code: 0 });
    });
    afterAll(() => other.remove());

    test.each([
      ['its own record to another repository', `echo $P/evil/.git > ${own}/commondir`],
      ['its own record by a new file', `echo $P/evil/.git > ${own}/c && mv ${own}/c ${own}/commondir`],
      ['its own record to another worktree', `echo $B/w2/.git > ${own}/gitdir`],
      ['its own record to more configuration', `echo x > ${own}/config.worktree`],
      ['its own record, renamed and made again', `mv ${own} ${own}-2 && mkdir ${own}`],
      ['all records, renamed and made again', 'mv $P/.git/worktrees $P/.git/w && mkdir $P/.git/worktrees'],
      ['its worktree by the file .git', 'echo "gitdir: $P/evil/.git" > .git'],
      ['its worktree by another file .git', 'echo "gitdir: $P/evil/.git" > g && mv g .git'],
      ['another’s record to another repository', `echo $P/evil/.git > ${others}/commondir`],
      ['another’s record to more configuration', `echo x > ${others}/config.worktree`],
      ['another’s HEAD', `echo x > ${others}/HEAD`],
      ['a record of its own making', 'mkdir $P/.git/worktrees/w3'],
    ])('nobody inside leads %s', (_, script) => {
      expect(other.inside(script, changes)).not.toMatchObject({ code: 0 });
      const inMain = { script, ...other.inside(script.replaceAll(' .git', ' $B/w1/.git')) };
      expect(inMain).not.toMatchObject({ code: 0 });
      expect(other.outside('git -C $B/w1 status && git -C $B/w2 status')).toMatchObject({ code: 0 });
      expect(existsSync(join(other.base, 'ran'))).toBe(false);
    });

    test.each([
      ['by writing it', 'echo "gitdir: $P/evil/.git" > in/w5/.git'],
      ['by another file', 'echo "gitdir: $P/evil/.git" > g && mv g in/w5/.git'],
      ['by removing it', 'rm in/w5/.git'],
      ['by another folder', 'mv in/w5 in/w6 && mkdir in/w5'],
      ['by another folder above', 'mv in out && mkdir -p in/w5'],
    ])('nobody inside leads a worktree that lies in the tree elsewhere: %s', async (_, script) => {
      const third = await createWorld();
      onTestFinished(() => third.remove());
      third.outside('git worktree add -q in/w5; git worktree add -q $B/w1; git -C $B/w1 worktree add -q in/w5-of-w1');
      expect(third.inside(script)).not.toMatchObject({ code: 0 });
      const tree = join(third.base, 'w1');
      const record = join(third.project, '.git/worktrees/w1');
      expect(third.inside(script.replaceAll('w5', 'w5-of-w1'), { tree, cwd: tree, record })).not.toMatchObject({
        code: 0,
      });
      for (const path of [join(third.project, 'in/w5/.git'), join(tree, 'in/w5-of-w1/.git')])
        expect(readFileSync(path, 'utf8')).toContain(join(third.project, '.git/worktrees/w5'));
      expect(third.inside('cd in/w5 && echo x > new && git add new')).not.toMatchObject({ code: 0 });
      expect(third.inside('echo x > in/w5/new && git -C in/w5 status')).toMatchObject({ code: 0 });
    });

    test('a worktree that is added while the sandbox runs is out of reach too', async () => {
      const agent = other.startInside(
        'echo ready; while [ ! -e go ]; do sleep 0.05; done; echo x > $P/.git/worktrees/w4/commondir; echo ended',
        changes,
      );
      await once(agent.stdout, 'data');
      other.outside('git worktree add -q $B/w4 && touch $B/w1/go');
      await once(agent, 'close');
      expect(readFileSync(join(other.project, '.git/worktrees/w4/commondir'), 'utf8')).toBe('../..\n');
    });

    test.each([
      ['status', 'git status --porcelain'],
      ['add and commit', 'echo y > g && git add g && git commit -qm worked && git log --oneline | grep -q worked'],
      ['branches', 'git branch b1 && git switch -qc b2 && git branch -qD b1'],
      ['stash', 'echo z > index.js && git stash -q && git stash pop -q && git restore index.js'],
      ['rebase', 'git rebase -q main'],
      ['worktree list', '[ "$(git worktree list | wc -l)" -ge 3 ]'],
    ])(`${row('sandbox.everyday')} git works in a worktree: %s`, (_, script) => {
      expect(other.inside(script, changes)).toMatchObject({ code: 0 });
    });

    test('nothing of the sandbox stays in the records', () => {
      other.inside('true', changes);
      expect(existsSync(join(other.project, '.git/worktrees/w1/config.worktree'))).toBe(false);
    });
  });

  test(`${row('sandbox.reach')} a submodule’s hooks and configuration are covered`, async () => {
    const other = await createWorld();
    other.outside('git -c protocol.file.allow=always submodule --quiet add $P sub && git commit -qm sub');
    for (const script of [
      'echo x > .git/modules/sub/hooks/post-checkout',
      'echo x > .git/modules/sub/config',
      'mv .git/modules/sub .git/modules/s2',
    ])
      expect({ script, ...other.inside(script) }).not.toMatchObject({ code: 0 });
    expect(other.inside('cd sub && git commit -q --allow-empty -m x')).toMatchObject({ code: 0 });
    other.remove();
  });

  describe(`${row('sandbox.refused')} it is refused where it would not hold`, () => {
    const refused = (reason: string, changes: object) =>
      expect(JSON.parse(world.inside('true', changes).output)).toMatchObject({ reason });

    test('in the user’s home, or above it', () => {
      refused('project-holds-home', { tree: world.home, project: world.home });
      refused('project-holds-home', { tree: world.base, project: world.base });
    });
    test('in the data folder', () => refused('project-in-data', { tree: world.data, project: world.data }));
    test('with our own program in the project', () =>
      refused('own-program-writable', { own: [join(world.project, 'node_modules/sekisho')] }));
    test('where a protected folder is a link', async () => {
      const other = await createWorld();
      renameSync(join(other.project, '.claude'), join(other.project, 'c'));
      symlinkSync('c', join(other.project, '.claude'));
      expect(JSON.parse(other.inside('true').output)).toMatchObject({ reason: 'protected-is-link' });
      other.remove();
    });
  });
});
