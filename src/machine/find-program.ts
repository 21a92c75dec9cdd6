import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The path of a program as `spawn` would find it; undefined if there is none. */
export function findProgram(program: string, path: string, root: string): string | undefined {
  if (program.includes('/') || isAbsolute(program)) return executable(resolve(root, program));
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
  for (const folder of path.split(delimiter).filter((one) => one !== ''))
    for (const ending of endings) {
      const found = executable(join(folder, program + ending));
      if (found !== undefined) return found;
    }
  return undefined;
}

export function findFirst(programs: readonly string[], path: string, root: string): string | undefined {
  for (const one of programs) {
    const found = findProgram(one, path, root);
    if (found !== undefined) return found;
  }
  return undefined;
}

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
