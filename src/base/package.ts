import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of this package, from the sources as from `dist/`. */
export function packagePath(...names: readonly string[]): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'bin', 'sekisho'))) folder = dirname(folder);
  return join(folder, ...names);
}
