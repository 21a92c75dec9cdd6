import { isAbsolute, resolve, win32 } from 'node:path';
import type { Context } from '../../kernel/context.ts';

/** The same context for the project that a caller names; it need not exist. Phases are filed under it, files looked up in it. */
export function contextOfProject(context: Context, projectPath: string | undefined): Context {
  if (projectPath === undefined || projectPath === '') return context;
  const { project } = context;
  // A path of another system is kept as it is: the project may be on the caller's machine.
  const foreign = !isAbsolute(projectPath) && win32.isAbsolute(projectPath);
  const root = foreign ? projectPath : resolve(project.tree, projectPath);
  if (root === project.root || root === project.tree) return context;
  return { ...context, project: { ...project, root, tree: root, key: keyOf(project.key, root) } };
}

/**
 * A project that has no key of its own is filed under its path, so a path leads to it. Whoever has a key shares a database
 * with others: under it a path means their own folder, not that of somebody whose project lies at the same place.
 */
function keyOf(own: string, root: string): string {
  return isAbsolute(own) ? root : `${own}\t${root}`;
}
