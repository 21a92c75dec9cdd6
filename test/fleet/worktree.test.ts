import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Git, createGit } from '../../src/fleet/host/git.ts';
import { addWorktree, leaveWorktree, planWorktree } from '../../src/fleet/host/worktree.ts';

const git = createGit(process.env);

async function repository() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-worktree-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const project = join(base, 'project');
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  execFileSync('git', ['init', '--quiet', project]);
  execFileSync('git', ['-C', project, ...who, 'commit', '--quiet', '--allow-empty', '-m', 'first']);
  const plan = async (id: string) => (await planWorktree(git, join(base, 'worktrees'), id, project))!;
  return { project, plan };
}

test('a worktree is made although git could not while another one was removed', async () => {
  const { project, plan } = await repository();
  const held = join(project, '.git', 'worktrees');
  let failures = 3;
  // As when somebody removes the folder in between: git finds no folder there.
  const disturbed: Git = async (cwd, args, withinMs) => {
    const isHeld = args[1] === 'add' && failures-- > 0;
    if (isHeld) writeFileSync(held, '');
    const answer = await git(cwd, args, withinMs);
    if (isHeld) rmSync(held);
    return answer;
  };
  await expect(addWorktree(disturbed, await plan('a-1'))).rejects.toThrow(/failed/);
  failures = 2;
  const worktree = await plan('a-2');
  await addWorktree(disturbed, worktree);
  expect(failures).toBe(-1);
  expect(existsSync(worktree.path)).toBe(true);
});

test('a branch of that name with commits of its own is left as it is', async () => {
  const { project, plan } = await repository();
  const worktree = await plan('a-1');
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  execFileSync('git', ['-C', project, 'checkout', '--quiet', '-b', worktree.branch]);
  execFileSync('git', ['-C', project, ...who, 'commit', '--quiet', '--allow-empty', '-m', 'second']);
  const before = await git(project, ['rev-parse', worktree.branch]);
  execFileSync('git', ['-C', project, 'checkout', '--quiet', '--detach', worktree.base]);
  await expect(addWorktree(git, worktree)).rejects.toThrow(/failed/);
  expect(await git(project, ['rev-parse', worktree.branch])).toBe(before);
});

test('worktrees are made while others are removed', async () => {
  const { plan } = await repository();
  const lanes = ['a', 'b', 'c'].map(async (lane) => {
    for (let n = 0; n < 12; n += 1) {
      const worktree = await plan(`${lane}-${n}`);
      await addWorktree(git, worktree);
      expect(existsSync(worktree.path)).toBe(true);
      // Where git cannot answer at this moment it stays, and is swept later.
      await leaveWorktree(git, worktree, 'keep', 'left');
    }
  });
  await Promise.all(lanes);
});
