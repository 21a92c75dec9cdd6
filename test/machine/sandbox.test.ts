import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startOf, thisProcess } from '../../src/machine/identity.ts';
import type { PreparedPlace, SandboxPlace } from '../../src/sandbox/place.ts';
import { confinedEnvironment } from '../../src/sandbox/allowed.ts';
import { prepare } from '../../src/sandbox/prepare.ts';
import { whyNot } from '../../src/sandbox/probe.ts';
import { bwrapArguments } from '../../src/sandbox/profile.ts';
import { seatbeltProfile } from '../../src/sandbox/seatbelt.ts';
import { seccompFilter } from '../../src/sandbox/seccomp.ts';
import type { Sight } from '../../src/sandbox/sight.ts';
import { bundled } from '../fixtures/sandbox/bundled.ts';

const allow = 0x7fff0000;
const notPermitted = 0x00050001;
const notImplemented = 0x00050026;
const kill = 0x80000000;

/** The kernel's part of it: the answer of the program to one call. */
function ask(arch: string, audit: number, call: number, ...args: number[]): number {
  const program = seccompFilter(arch) ?? Buffer.alloc(0);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value, 16 + index * 8);
  let accumulator = 0;
  for (let at = 0; at * 8 < program.length; at++) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const jump = (condition: boolean) => program.readUInt8(at * 8 + (condition ? 2 : 3));
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
    else if (code === 0x45) at += jump((accumulator & value) !== 0);
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error('the program ended without an answer');
}

const machines = [
  { arch: 'x64', audit: 0xc000003e, ioctl: 16, clone: 56, unshare: 272, ptrace: 101, mount: 165, read: 0 },
  { arch: 'arm64', audit: 0xc00000b7, ioctl: 29, clone: 220, unshare: 97, ptrace: 117, mount: 40, read: 63 },
];

describe.each(machines)('the filter on $arch', ({ arch, audit, ...call }) => {
  test('lets ordinary calls pass', () => {
    expect(ask(arch, audit, call.read)).toBe(allow);
    expect(ask(arch, audit, call.ioctl, 0, 0x5401)).toBe(allow);
    expect(ask(arch, audit, call.clone, 0x11)).toBe(allow);
    expect(ask(arch, audit, call.unshare, 0x200)).toBe(allow);
  });

  test('refuses tracing, mounting, nesting and typing into the terminal', () => {
    expect(ask(arch, audit, call.ptrace)).toBe(notPermitted);
    expect(ask(arch, audit, call.mount)).toBe(notPermitted);
    expect(ask(arch, audit, call.ioctl, 0, 0x5412)).toBe(notPermitted);
    expect(ask(arch, audit, call.ioctl, 0, 0x541c)).toBe(notPermitted);
    expect(ask(arch, audit, call.clone, 0x10000011)).toBe(notPermitted);
    expect(ask(arch, audit, call.unshare, 0x00020000)).toBe(notPermitted);
    expect(ask(arch, audit, 428)).toBe(notPermitted);
    expect(ask(arch, audit, 435)).toBe(notImplemented);
  });

  test('ends a program of another architecture', () => {
    expect(ask(arch, 0x40000003, call.read)).toBe(kill);
  });
});

test('x32 calls are refused, and of an unknown machine there is no filter', () => {
  expect(ask('x64', 0xc000003e, 0x40000000)).toBe(notPermitted);
  expect(seccompFilter('riscv64')).toBeUndefined();
});

test('passwords, our own variables and ways to processes outside are not in the environment', () => {
  const env = {
    PATH: '/bin',
    PGPASSWORD: 'x',
    SEKISHO_TOKEN: 'x',
    SSH_AUTH_SOCK: '/s',
    TMUX: '/t,1',
    NVIM: '/n',
    XDG_RUNTIME_DIR: '/r',
  };
  expect(confinedEnvironment(env, [])).toEqual({ PATH: '/bin' });
  expect(confinedEnvironment(env, ['ssh-agent', 'dbus'])).toEqual({
    PATH: '/bin',
    SSH_AUTH_SOCK: '/s',
    XDG_RUNTIME_DIR: '/r',
  });
});

describe('why there is no sandbox', () => {
  const none = { apparmor: false, namespacesOff: false, container: false };
  const denied = 'bwrap: setting up uid map: Permission denied';

  test.each([
    [denied, { ...none, apparmor: true }, 'apparmor'],
    ['bwrap: No permissions to create a new namespace', { ...none, namespacesOff: true }, 'user-namespaces'],
    ['bwrap: No permissions to create a new namespace', none, 'user-namespaces'],
    ['bwrap: Failed to mount proc: Operation not permitted', { ...none, container: true }, 'container'],
    ['bwrap: Unknown option --x', { ...none, container: true, apparmor: true }, 'other'],
  ] as const)('%s', (errors, limits, reason) => {
    expect(whyNot(errors, limits)).toBe(reason);
  });
});

const place: PreparedPlace = {
  project: '/home/a/p',
  tree: '/home/a/p',
  cwd: '/home/a/p',
  git: '/home/a/p/.git',
  home: '/home/a',
  data: '/home/a/.local/share/sekisho',
  keep: '/home/a/.local/share/sekisho/sandbox/1',
  own: ['/usr/lib/sekisho'],
  session: '/home/a/.local/share/sekisho/state/s',
  clients: { x: { project: { folders: ['.x/y'], files: { 'x.json': '{}' } }, home: [] } },
  started: undefined,
  allow: [],
};

/** A machine with these paths, folders all of them. */
function sightOf(...paths: string[]): Sight {
  const known = [...paths, '/tmp', '/run', '/home/a'];
  return {
    kindOf: (path) => (known.includes(path) ? 'folder' : undefined),
    list: (folder) =>
      known.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)),
    linkAt: (path) => path,
    read: () => undefined,
    realPath: (path) => path,
    sockets: () => [],
  };
}

test('a folder between a writable and a covered one is a mount of its own, before the cover', () => {
  const line = bwrapArguments(place, {}, sightOf(), { disableUserns: false }).join(' ');
  const order = [
    '--ro-bind / /',
    '--tmpfs /home/a',
    '--bind /home/a/p /home/a/p',
    '--bind /home/a/p/.x /home/a/p/.x',
    '--ro-bind /home/a/p/.x/y',
  ];
  const found = order.map((words) => line.indexOf(words));
  expect(found).not.toContain(-1);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(line).not.toContain('--disable-userns');
});

test('the profile for macOS names what is writable, then what is not', () => {
  const text = seatbeltProfile(place, {}, sightOf());
  expect(text).toMatchInlineSnapshot(`
    "(version 1)
    (allow default)
    (deny file-write* (subpath "/"))
    (allow file-write* (subpath "/home/a/p") (subpath "/home/a/p/.git") (subpath "/private/tmp") (subpath "/private/var/tmp") (subpath "/private/var/folders") (subpath "/dev"))
    (deny file-write* (subpath "/home/a/p/.sekisho") (subpath "/home/a/p/.x/y") (subpath "/home/a/p/x.json") (subpath "/home/a/p/.git/hooks") (subpath "/home/a/p/.git/worktrees") (subpath "/home/a/p/.git/config") (subpath "/home/a/p/.git/config.worktree") (subpath "/home/a/p/.git/commondir"))
    (deny file-write-unlink (literal "/home/a/p/.x") (literal "/home/a/p/.git") (literal "/home/a/p"))
    (deny file-read* file-write* (subpath "/home/a/.local/share/sekisho") (subpath "/home/a/.ssh") (subpath "/home/a/.gnupg") (subpath "/home/a/.netrc") (subpath "/home/a/.password-store") (subpath "/home/a/.local/share/keyrings") (subpath "/home/a/.vault-token") (subpath "/home/a/.config/op") (subpath "/home/a/.config/sops") (subpath "/home/a/.pgpass") (subpath "/home/a/.pg_service.conf") (subpath "/home/a/.postgresql") (subpath "/home/a/.my.cnf") (subpath "/home/a/.mylogin.cnf") (subpath "/home/a/.aws") (subpath "/home/a/.azure") (subpath "/home/a/.config/gcloud") (subpath "/home/a/.boto") (subpath "/home/a/.s3cfg") (subpath "/home/a/.oci") (subpath "/home/a/.kube") (subpath "/home/a/.config/rclone") (subpath "/home/a/.config/doctl") (subpath "/home/a/.docker/config.json") (subpath "/home/a/.config/containers/auth.json") (subpath "/home/a/.terraformrc") (subpath "/home/a/.terraform.d/credentials.tfrc.json") (subpath "/home/a/.git-credentials") (subpath "/home/a/.config/git/credentials") (subpath "/home/a/.config/gh") (subpath "/home/a/.config/glab-cli") (subpath "/home/a/.config/hub") (subpath "/home/a/.npmrc") (subpath "/home/a/.yarnrc") (subpath "/home/a/.yarnrc.yml") (subpath "/home/a/.pypirc") (subpath "/home/a/.config/pypoetry/auth.toml") (subpath "/home/a/.gem/credentials") (subpath "/home/a/.bundle/config") (subpath "/home/a/.cargo/credentials") (subpath "/home/a/.cargo/credentials.toml") (subpath "/home/a/.m2/settings.xml") (subpath "/home/a/.m2/settings-security.xml") (subpath "/home/a/.gradle/gradle.properties") (subpath "/home/a/.composer/auth.json") (subpath "/home/a/.config/composer/auth.json") (subpath "/home/a/.nuget/NuGet/NuGet.Config") (subpath "/home/a/.local/share/amp") (subpath "/home/a/.config/amp") (subpath "/home/a/.config/github-copilot") (subpath "/home/a/.mozilla") (subpath "/home/a/.config/mozilla") (subpath "/home/a/.config/google-chrome") (subpath "/home/a/.config/chromium") (subpath "/home/a/.config/BraveSoftware") (subpath "/home/a/.config/microsoft-edge") (subpath "/home/a/.config/vivaldi") (subpath "/home/a/.config/opera"))
    (allow file-read* (subpath "/usr/lib/sekisho"))
    (deny network-outbound (remote unix-socket))
    (allow network-outbound (remote unix-socket (subpath "/home/a/p")) (remote unix-socket (subpath "/home/a/.local/share/sekisho/state/s")) (remote unix-socket (subpath "/private/var/run/mDNSResponder")))
    (allow file-read* (subpath "/home/a/.local/share/sekisho/state/s"))
    (deny mach-priv-task-port)
    (deny process-info* (target others))
    (deny signal (target others))
    (allow signal (target same-sandbox))
    (deny appleevent-send)
    (deny job-creation)
    "
  `);
});

test('the profile for macOS opens the record of the worktree again, but for what leads git elsewhere', () => {
  const record = '/home/a/p/.git/worktrees/w';
  const lines = seatbeltProfile({ ...place, tree: '/home/a/w', cwd: '/home/a/w', record }, {}, sightOf()).split('\n');
  const order = [
    lines.findIndex((line) => line.startsWith('(deny file-write*') && line.includes('"/home/a/p/.git/worktrees"')),
    lines.indexOf(`(allow file-write* (subpath "${record}"))`),
    lines.findIndex((line) => line.startsWith('(deny file-write*') && line.includes(`"${record}/commondir"`)),
  ];
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

describe('what a sandbox makes in a project', () => {
  /** A main checkout and a worktree, and where sandboxes keep their records. */
  function checkouts() {
    const data = mkdtempSync(join(tmpdir(), 'sekisho-sandbox-'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    const [main = '', worktree = '', git = '', all = ''] = ['main', 'worktree', 'git', 'sandbox'].map((name) =>
      join(data, name),
    );
    for (const path of [main, worktree, git, all]) mkdirSync(path);
    const at = (tree: string): SandboxPlace => ({ ...place, project: main, tree, git, data, home: join(data, 'home') });
    const left = () => [main, worktree, git, all].map((path) => readdirSync(path));
    return { data, main, worktree, all, at, left };
  }
  const nothing = [[], [], [], []];

  /** Lives until it is killed, with these words on its command line. */
  function living(...words: readonly string[]) {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', ...words], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  test('is there as long as another sandbox of that project needs it, and then gone', async () => {
    const { main, at, left } = checkouts();
    const covered = join(main, '.sekisho');
    const first = prepare(at(main));
    const second = prepare(at(main));
    expect(existsSync(covered)).toBe(true);
    await first.tidy();
    expect(existsSync(covered)).toBe(true);
    await second.tidy();
    expect(left()).toEqual(nothing);
  });

  test('in the main checkout is there as long as a sandbox of a worktree covers it', async () => {
    const { main, worktree, at, left } = checkouts();
    // Without git's folder, which both would need.
    const first = prepare({ ...at(main), git: undefined });
    const second = prepare({ ...at(worktree), git: undefined });
    await first.tidy();
    expect(readdirSync(main)).toContain('.sekisho');
    await second.tidy();
    expect(left()).toEqual(nothing);
  });

  test('stays while one that has just begun may need it, and no longer', async () => {
    const { main, all, at, left } = checkouts();
    const { pid, start } = thisProcess();
    const begun = join(all, `${pid}-${start}-begun`);
    const first = prepare(at(main));
    mkdirSync(begun);
    const tidied = first.tidy();
    expect(readdirSync(main)).toContain('.sekisho');
    rmdirSync(begun);
    await tidied;
    expect(left()).toEqual(nothing);
  });

  test('stays with its own folder while a process of it lives, whoever started that', async () => {
    const { main, all, at, left } = checkouts();
    const first = prepare(at(main));
    const inside = living(join(first.place.keep, 'home'));
    await first.tidy();
    expect(readdirSync(main)).toContain('.sekisho');
    expect(readdirSync(join(all, readdirSync(all)[0] ?? ''))).toContain('home');
    inside.kill('SIGKILL');
    await once(inside, 'exit');
    await prepare(at(main)).tidy();
    expect(left()).toEqual(nothing);
  });

  test('is looked for only when nobody removes any more', async () => {
    const { data, main, all, at } = checkouts();
    const remover = living();
    const mark = join(all, `${remover.pid}-${startOf(remover.pid ?? 0)}-removing-x`);
    mkdirSync(mark);
    mkdirSync(join(main, '.sekisho'));
    const program = join(data, 'come-and-go.mjs');
    writeFileSync(program, await bundled('come-and-go.ts'));
    const { child, ended } = run(program, JSON.stringify({ place: at(main), times: 1 }));
    const begun = () => readdirSync(all).filter((name) => name.startsWith(`${child.pid}-`));
    await expect.poll(begun).toHaveLength(1);
    // As long as another program takes for all that it does.
    await once(spawn(process.execPath, ['-e', '0']), 'exit');
    expect(readdirSync(join(all, begun()[0] ?? ''))).toEqual([]);
    rmdirSync(join(main, '.sekisho'));
    rmdirSync(mark);
    expect(await ended).toEqual({ code: 0, output: '.', errors: '' });
  });

  test('is never missing and never stays while processes come, go and are killed, in two worktrees of one repository', async () => {
    const { data, main, worktree, at, left } = checkouts();
    const program = join(data, 'come-and-go.mjs');
    writeFileSync(program, await bundled('come-and-go.ts'));
    const start = (tree: string, times: number) => run(program, JSON.stringify({ place: at(tree), times }));
    const others = [main, main, worktree, worktree].map((tree) => start(tree, 40).ended);
    for (const tree of [main, worktree, main, worktree, main, worktree]) {
      const { child, ended } = start(tree, 1000);
      await Promise.race([once(child.stdout, 'data'), ended]);
      child.kill('SIGKILL');
      await ended;
    }
    const said = await Promise.all(others);
    expect(said).toEqual(others.map(() => ({ code: 0, output: '.'.repeat(40), errors: '' })));
    // Whoever comes next removes what the killed ones have left.
    await prepare(at(main)).tidy();
    expect(left()).toEqual(nothing);
  });
});

function run(program: string, input: string) {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  child.stdin.on('error', () => undefined); // It may end without reading.
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, errors }));
  return { child, ended };
}
