import { definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  noRepository: ({ path }: { path: string }) =>
    `isolation: worktree needs a git repository with a commit, but ${path} is not in one. Commit something first, or set isolation: none.`,
  detached: () =>
    'the main checkout is on no branch (detached HEAD), so it is unknown where work should start. Check out a branch, or set land: { target: main } in .sekisho/config.yaml',
  noTarget: ({ target }: { target: string }) =>
    `the branch "${target}" does not exist or has no commit. Create it, or change land.target in .sekisho/config.yaml`,
  setupFailed: ({ command, outcome, output }: { command: string; outcome: string; output: string }) =>
    `the tree could not be prepared: ${command} ${outcome}. This is worktree.setup of .sekisho/config.yaml. Its output ends with:\n${output}`,
  setupExit: ({ code }: { code: number }) => `ended with exit code ${code}`,
  setupTimeout: ({ minutes }: { minutes: number }) => `did not end within ${minutes} minutes`,
  setupRefused: ({ reason }: { reason: string }) => `was not started: ${reason}`,
  nothingToCopy: ({ path }: { path: string }) => `worktree.copy or worktree.link names ${path}, which does not exist`,
};

export const phrase = definePhrases(english, ja.phrase);
