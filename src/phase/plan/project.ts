import { isAbsolute, resolve, win32 } from 'node:path';
import type { Context } from '../../kernel/context.ts';

/** Returns the context of the project at a path: phases are stored under it and files are looked up in it. It need not exist. */
export function contextOfProject(context: Context, projectPath: string | undefined): Context {
  if (projectPath === undefined || projectPath === '') return context;
  const { project } = context;
  // A Windows path is kept unchanged on other systems: the project may be on the caller's machine.
  const foreign = !isAbsolute(projectPath) && win32.isAbsolute(projectPath);
  const root = foreign ? projectPath : resolve(project.tree, projectPath);
  if (root === project.root || root === project.tree) return context;
  return { ...context, project: { ...project, root, tree: root, key: keyOf(project.key, root) } };
}

/** The key of the project at a path. A configured key qualifies the path: another user can have a project there too. */
function keyOf(own: string, root: string): string {
  return isAbsolute(own) ? root : `${own}\t${root}`;
}
