import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

/** The supported platforms. Each has one file per C library; Linux has two. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const libraries = ['glibc', 'musl'];

/** The folder of the driver, for the list of licences. */
export const driver = 'node_modules/@photostructure/sqlite';

/**
 * Copies the compiled SQLite from its package into ours, so that users need not install that package, which runs an install
 * script.
 */
export function copySqlite(root, folder) {
  for (const platform of platforms) {
    for (const library of libraries) {
      const from = path.join(root, driver, 'prebuilds', platform, `@photostructure+sqlite.${library}.node`);
      if (existsSync(from)) copy(from, path.join(folder, platform, `${library}.node`));
    }
  }
}

// Replaces a file by renaming: a process that has the old one open keeps it.
function copy(from, to) {
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) return;
  mkdirSync(path.dirname(to), { recursive: true });
  const draft = `${to}.${process.pid}.new`;
  cpSync(from, draft);
  renameSync(draft, to);
}
