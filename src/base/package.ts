import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file of this package. It works from the sources and from `dist/`. */
export function packagePath(...names: readonly string[]): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'bin', 'sekisho'))) folder = dirname(folder);
  return join(folder, ...names);
}
