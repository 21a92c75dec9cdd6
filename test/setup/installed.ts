import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The package as npm puts it into a folder: this build, no code cache, no `.git` beside it. */
export function installPackage(folder: string): string {
  const record = join(root, 'dist/.stale.json');
  const stale = existsSync(record) ? Object.keys(JSON.parse(readFileSync(record, 'utf8')) as object) : [];
  const left = new Set([...stale, '.cache', '.stale.json', ...otherMachines]);
  mkdirSync(folder, { recursive: true });
  for (const part of ['bin', 'dist', 'processes', 'prompts', 'package.json', 'LICENSE'])
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => !left.has(basename(path)) });
  return join(folder, 'bin/sekisho');
}

const otherMachines = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].filter(
  (one) => one !== `${process.platform}-${process.arch}`,
);
