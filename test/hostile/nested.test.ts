import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { type World, createWorld, removeTemplate } from '../fixtures/sandbox/world.ts';
import { row } from '../setup/security.ts';

const missing = getBubblewrap();

/** What a planted program does. */
const evil = `touch "$B/ran" #`;
const program = `printf '#!/bin/sh\\ntouch "$B/ran"\\n' > evil.sh; chmod +x evil.sh`;
const nest = 'git init -q n && git -C n commit -q --allow-empty -m n';
const link = 'git add n 2>/dev/null';
const set = (key: string, value = evil) => `git -C n config ${key} '${value}'`;

interface Plan {
  readonly name: string;
  /** Inside. */
  readonly plant: string;
  /** By a person, later, outside: it starts what was planted, if nothing prevents it. */
  readonly trip: string;
  /** Of what is found, one. */
  readonly found: { readonly path: string; readonly disabled: readonly string[] };
}

const plans: readonly Plan[] = [
  {
    name: 'a monitor, in a repository that was added as a submodule',
    plant: `${nest}; ${link}; ${set('core.fsmonitor')}`,
    trip: 'git status',
    found: { path: 'n', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'a monitor, in a bare repository',
    plant: `git init -q --bare n; ${set('core.bare', 'false')}; ${set('core.worktree', '/')}; ${set('core.fsmonitor')}`,
    trip: 'cd n && git status .',
    found: { path: 'n', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'a hook',
    plant: `${nest}; ${program}; cp evil.sh n/.git/hooks/post-checkout`,
    trip: 'git -C n switch -qc other',
    found: { path: 'n', disabled: ['hooks/post-checkout'] },
  },
  {
    name: 'a hook that is a link',
    plant: `${nest}; ${program}; ln -s ../../../evil.sh n/.git/hooks/post-checkout`,
    trip: 'git -C n switch -qc other',
    found: { path: 'n', disabled: ['hooks/post-checkout'] },
  },
  {
    name: 'a folder of hooks that is a link',
    plant: `${nest}; mkdir h; ${program}; cp evil.sh h/post-checkout; rm -r n/.git/hooks; ln -s ../../h n/.git/hooks`,
    trip: 'git -C n switch -qc other',
    found: { path: 'n', disabled: ['hooks'] },
  },
  {
    name: 'a hook in a folder that cannot be listed',
    plant: `${nest}; ${program}; cp evil.sh n/.git/hooks/post-checkout; chmod 111 n/.git/hooks`,
    trip: 'git -C n switch -qc other',
    found: { path: 'n', disabled: ['hooks/post-checkout'] },
  },
  {
    name: 'another folder of hooks',
    plant: `${nest}; mkdir h; ${program}; cp evil.sh h/post-checkout; ${set('core.hooksPath', '../h')}`,
    trip: 'git -C n switch -qc other',
    found: { path: 'n', disabled: ['core.hookspath'] },
  },
  {
    name: 'a filter',
    plant: `${nest}; echo '* filter=x' > n/.gitattributes; echo a > n/a; ${set('filter.x.clean')}`,
    trip: 'git -C n add a',
    found: { path: 'n', disabled: ['filter.x.clean'] },
  },
  {
    name: 'a driver that shows differences',
    plant: `${nest}; echo '* diff=x' > n/.gitattributes; echo a > n/a; git -C n add -A; echo b > n/a; ${set('diff.x.textconv')}`,
    trip: 'git -C n diff',
    found: { path: 'n', disabled: ['diff.x.textconv'] },
  },
  {
    name: 'an alias',
    plant: `${nest}; ${set('alias.x', `!${evil}`)}; ${set('alias.st', 'status')}`,
    trip: 'git -C n x',
    found: { path: 'n', disabled: ['alias.x'] },
  },
  {
    name: 'an included file',
    plant: `${nest}; ${link}; printf '[core]\\n\\tfsmonitor = "touch \\\\"$B/ran\\\\" #"\\n' > i; ${set('include.path', '../../i')}`,
    trip: 'git status',
    found: { path: 'n', disabled: ['include.path'] },
  },
  {
    name: 'more configuration for a worktree',
    plant: `${nest}; ${link}; ${set('extensions.worktreeConfig', 'true')}; git -C n config --worktree core.fsmonitor '${evil}'`,
    trip: 'git status',
    found: { path: 'n', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'the configuration of a worktree of it',
    plant: `${nest}; ${set('extensions.worktreeConfig', 'true')}; git -C n worktree add -q ../w; git -C w config --worktree core.fsmonitor '${evil}'`,
    trip: 'git -C w status',
    found: { path: 'n/.git/worktrees/w', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'a repository of which only the file .git is in the tree',
    plant: `git init -q --separate-git-dir=$P/.git/x n; git -C n commit -q --allow-empty -m n; ${link}; ${set('core.fsmonitor')}`,
    trip: 'git status',
    found: { path: '.git/x', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'a submodule’s own folder',
    plant: `mkdir -p .git/modules; git init -q --separate-git-dir=$P/.git/modules/n n; git -C n commit -q --allow-empty -m n; ${link}; ${set('core.fsmonitor')}`,
    trip: 'git status',
    found: { path: '.git/modules/n', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'a file .git that leads to what the client keeps',
    plant: `git init -q --separate-git-dir=$HOME/.claude/projects/x n; git -C n commit -q --allow-empty -m n; ${link}; ${set('core.fsmonitor')}`,
    trip: 'git status',
    found: { path: 'n', disabled: ['.git'] },
  },
  {
    name: 'a link .git that leads there',
    plant: `git init -q $HOME/.claude/projects/y; mkdir n; ln -s $HOME/.claude/projects/y/.git n/.git; git -C n commit -q --allow-empty -m n; ${link}; ${set('core.fsmonitor')}`,
    trip: 'git status',
    found: { path: 'n', disabled: ['.git'] },
  },
  {
    name: 'a file .git that leads there by a link and back',
    plant: `git init -q --separate-git-dir=$HOME/.claude/projects/z n; mkdir $HOME/.claude/projects/d; ln -s $HOME/.claude/projects/d n/l; mkdir n/z; printf 'gitdir: l/../z' > n/.git; git -C n commit -q --allow-empty -m n; ${link}; ${set('core.fsmonitor')}`,
    trip: 'git status',
    found: { path: 'n', disabled: ['.git'] },
  },
  {
    name: 'a commondir that leads there',
    plant: `git init -q $HOME/.claude/projects/c; git init -q n; ${link}; rm -r n/.git/config n/.git/objects n/.git/refs; echo $HOME/.claude/projects/c/.git > n/.git/commondir; git -C n commit -q --allow-empty -m n; ${link}; git -C n config core.fsmonitor '${evil}'`,
    trip: 'git status',
    found: { path: 'n', disabled: ['commondir'] },
  },
  {
    name: 'a configuration that is a link',
    plant: `${nest}; ${link}; mv n/.git/config c; ln -s ../../c n/.git/config; git config --file c core.fsmonitor '${evil}'`,
    trip: 'git status',
    found: { path: 'n', disabled: ['config'] },
  },
  {
    name: 'a repository that nobody may write to',
    plant: `${nest}; ${link}; ${set('core.fsmonitor')}; chmod 555 n/.git n`,
    trip: 'git status',
    found: { path: 'n', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'a repository in a folder that cannot be listed',
    plant: `mkdir d; git init -q d/n && git -C d/n commit -q --allow-empty -m n; git add d/n 2>/dev/null; git -C d/n config core.fsmonitor '${evil}'; chmod 111 d d/n`,
    trip: 'git status',
    found: { path: 'd/n', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'a repository in a folder whose name is no text',
    plant: `d=$(printf 'd\\377'); git init -q "$d/n" && git -C "$d/n" commit -q --allow-empty -m n; git add "$d/n" 2>/dev/null; git -C "$d/n" config core.fsmonitor '${evil}'`,
    trip: 'git status',
    found: { path: 'd\uFFFD/n', disabled: ['core.fsmonitor'] },
  },
  {
    name: 'a repository where others lie that nobody reads',
    plant: `mkdir -p node_modules/a; git init -q node_modules/a/n; git -C node_modules/a/n config core.fsmonitor '${evil}'`,
    trip: 'git -C node_modules/a/n status',
    found: { path: 'node_modules/a/n', disabled: ['core.fsmonitor'] },
  },
];

describe.skipIf(missing !== undefined)('a nested repository', () => {
  afterAll(removeTemplate);

  const own = async (): Promise<World> => {
    const made = await createWorld();
    onTestFinished(() => made.remove());
    return made;
  };
  /** Without what the shell says of the home's `.bashrc`. */
  const answer = (world: World, script: string) =>
    world
      .outside(script)
      .output.replace(/^.*\.bashrc: line 1: .*$/m, '')
      .trim();
  const ran = ({ base }: World) => existsSync(join(base, 'ran'));

  test.each(plans)(
    `${row('sandbox.nested')} starts nothing outside, once the sandbox has ended: $name`,
    async (plan) => {
      const other = await own();
      other.inside(plan.plant);
      other.outside(plan.trip);
      expect(ran(other)).toBe(false);
      expect(other.found()).toContainEqual({ ...plan.found, failed: [] });
    },
  );

  test.each(plans)(`${row('sandbox.nested')} without that it would: $name`, async (plan) => {
    const other = await own();
    other.outside(plan.plant);
    other.outside(plan.trip);
    expect(ran(other)).toBe(true);
  });

  test('is not lost, and goes on to work', async () => {
    const other = await own();
    other.inside(
      `${nest}; ${program}; cp evil.sh n/.git/hooks/pre-push; ${set('core.pager', 'a "b" \\ #c')}; ${set('x.y', '1')}`,
    );
    expect(answer(other, 'git -C n log --format=%s')).toBe('n');
    const read = (key: string) => answer(other, `git -C n config ${key}`);
    expect(['sekisho-removed.core.pager', 'core.pager', 'x.y', 'core.bare'].map(read)).toEqual([
      'a "b" \\ #c',
      '',
      '1',
      'false',
    ]);
    expect(other.outside('ls n/.git/hooks').output).toMatch(/^pre-push\.sekisho-removed-\w+$/m);
  });

  test('keeps every key but those that start something', async () => {
    const other = await own();
    const starting = [
      'core.fsmonitor',
      'core.hooksPath',
      'core.sshCommand',
      'core.pager',
      'core.editor',
      'core.askPass',
      'core.gitProxy',
      'core.alternateRefsCommand',
      'filter.a.b.clean',
      'filter.a=b.smudge',
      'filter.x.process',
      'diff.x.command',
      'diff.x.textconv',
      'diff.external',
      'merge.x.driver',
      'credential.helper',
      'credential.https://a.example.helper',
      'gpg.program',
      'gpg.ssh.program',
      'gpg.ssh.defaultKeyCommand',
      'sequence.editor',
      'pager.log',
      'include.path',
      'includeIf.gitdir:/.path',
      'uploadpack.packObjectsHook',
      'remote.o.uploadpack',
      'remote.o.receivepack',
      'remote.o.vcs',
      'remote.o.proxy',
      'protocol.ext.allow',
      'protocol.allow',
      'interactive.diffFilter',
      'trailer.x.command',
      'trailer.x.cmd',
      'tar.x.command',
      'hook.x.command',
      'difftool.x.cmd',
      'mergetool.x.path',
      'browser.x.cmd',
      'man.x.path',
      'guitool.x.cmd',
      'sendemail.smtpServer',
      'imap.tunnel',
      'instaweb.httpd',
      'init.templateDir',
      'gc.recentObjectsHook',
      'lfs.customtransfer.x.path',
    ];
    const others = ['core.autocrlf', 'remote.o.url', 'remote.o.fetch', 'branch.main.merge', 'user.name', 'alias.st'];
    const marked = ['alias.x', 'submodule.s.update'];
    const kept = [...others, 'submodule.s.url', 'filter.x.required', 'push.default'];
    const keys = [...starting, ...kept].map((key) => `git config --file n/.git/config '${key}' v`);
    const marks = marked.map((key) => `git config --file n/.git/config '${key}' '!v'`);
    other.inside([nest, ...keys, ...marks].join('\n'));
    const [found] = other.found();
    // Git tells neither a section's case nor a key's.
    const plain = (key: string) => key.replace(/^[^.]+|[^.]+$/g, (word) => word.toLowerCase());
    expect(found?.disabled.toSorted()).toEqual([...starting, ...marked].map(plain).toSorted());
    const left = other.outside(`git config --file n/.git/config --list --name-only`).output.split('\n');
    expect(left).toEqual(
      expect.arrayContaining([...kept.map(plain), ...found!.disabled.map((key) => `sekisho-removed.${key}`)]),
    );
  });

  test('that a person has had is left alone, but for what was changed in it', async () => {
    const other = await own();
    other.outside(`${nest}; ${program}; cp evil.sh n/.git/hooks/pre-push; ${set('core.pager', 'mine')}`);
    const before = other.outside('cat n/.git/config; ls n/.git/hooks');
    other.inside('git -C n commit -q --allow-empty -m second');
    expect(other.outside('cat n/.git/config; ls n/.git/hooks')).toEqual(before);
    expect(other.found()).toEqual([]);
    other.inside(`${set('core.fsmonitor')}; cp evil.sh n/.git/hooks/post-checkout`);
    expect(other.found()).toEqual([{ path: 'n', disabled: ['core.fsmonitor', 'hooks/post-checkout'], failed: [] }]);
    expect(answer(other, 'test -x n/.git/hooks/pre-push && git -C n config core.pager')).toBe('mine');
  });

  test('that lies elsewhere is not changed, wherever a link or a file leads', async () => {
    const other = await own();
    other.outside(
      `git init -q ~/mine && git -C ~/mine config core.pager mine; ${program}; cp evil.sh ~/mine/.git/hooks/pre-push`,
    );
    const look = 'cat ~/.gitconfig ~/mine/.git/config .git/config; ls ~/mine/.git/hooks .git/hooks';
    const before = other.outside(look);
    other.inside(
      'mkdir a b c d; ln -s ~/mine/.git a/.git; echo "gitdir: $HOME/mine/.git" > b/.git; ln -s ../.git c/.git',
    );
    other.inside(
      'git init -q e; ln -sf ~/.gitconfig e/.git/config; rm -r e/.git/hooks; ln -s ~/mine/.git/hooks e/.git/hooks',
    );
    expect(other.outside(look)).toEqual(before);
    expect(
      other
        .found()
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['a', 'b', 'e']);
  });

  test(`${row('sandbox.nested')} of a session that was killed is disabled when the next one starts`, async () => {
    const other = await own();
    const agent = other.startInside(`${nest}; ${set('core.fsmonitor')}; echo ready; sleep 60`);
    await once(agent.stdout, 'data');
    agent.kill('SIGKILL');
    await once(agent, 'close');
    other.inside('true');
    expect(other.found()).toEqual([{ path: 'n', disabled: ['core.fsmonitor'], failed: [] }]);
    other.outside('git -C n status');
    expect(ran(other)).toBe(false);
  });

  test(`${row('sandbox.nested-running')} is dangerous while the agent runs, and is disabled afterwards`, async () => {
    const other = await own();
    const agent = other.startInside(
      `${nest}; ${set('core.fsmonitor')}; echo ready; while [ ! -e go ]; do sleep 0.05; done`,
    );
    await once(agent.stdout, 'data');
    other.outside('git -C n status');
    expect(ran(other)).toBe(true);
    other.outside('rm $B/ran; touch go');
    await once(agent, 'close');
    other.outside('git -C n status');
    expect(ran(other)).toBe(false);
  });
});
