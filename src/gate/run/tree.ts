import type { Project } from '../../kernel/context.ts';

/**
 * Returns the value of the column `tree`. A run's tree is the checkout or worktree in which it was started; its evidence is
 * looked up there. The column has the path of a worktree, and null for the main checkout, so that runs stay valid if the
 * checkout moves. It is empty until a run that is placed later gets its tree.
 */
export function treeColumn({ root, tree }: Pick<Project, 'root' | 'tree'>): string | null {
  return tree === root ? null : tree;
}

export function treeOf(column: unknown, { root }: Pick<Project, 'root'>): string {
  return typeof column === 'string' && column !== unplaced ? column : root;
}

/** The value of `tree` and `checkout` of a run that has no tree yet: no agent has taken its task. */
export const unplaced = '';
