import type { Project } from '../../kernel/context.ts';

/**
 * A run has a tree: the checkout or worktree of whoever started it, where its evidence is looked for. A row keeps the path
 * of a worktree, and null for the main checkout: that one may move, and the runs move with it.
 */
export function treeColumn({ root, tree }: Pick<Project, 'root' | 'tree'>): string | null {
  return tree === root ? null : tree;
}

export function treeOf(column: unknown, { root }: Pick<Project, 'root'>): string {
  return typeof column === 'string' ? column : root;
}
