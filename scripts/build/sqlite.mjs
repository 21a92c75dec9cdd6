import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

/** Where Sekisho runs. Each has one file for the C library of its system; Linux has two of them. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const libraries = ['glibc', 'musl'];

/** The folder below `node_modules`, for the list of licences. */
export const driver = 'node_modules/@photostructure/sqlite';

/**
 * SQLite as it was compiled by its package. Ours brings it along, so that nothing has to be installed with it: that package
 * would run a script on the user's machine.
 */
export function copySqlite(root, folder) {
  for (const platform of platforms) {
    for (const library of libraries) {
      const from = path.join(root, driver, 'prebuilds', platform, `@photostructure+sqlite.${library}.node`);
      if (existsSync(from)) copy(from, path.join(folder, platform, `${library}.node`));
    }
  }
}

// Renamed into place: a process that has the old one open keeps it.
function copy(from, to) {
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) return;
  mkdirSync(path.dirname(to), { recursive: true });
  const draft = `${to}.${process.pid}.new`;
  cpSync(from, draft);
  renameSync(draft, to);
}
