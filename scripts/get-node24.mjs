import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** The path of a Node 24 binary, fetched from npm on first use. Its packages are plain archives: no install script runs. */
export function getNode24() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(cacheFolder(), `${name}-24`);
  const binary = path.join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(binary)) install(`${name}@24`, folder);
  return binary;
}

// Installed beside and renamed, so that an interrupted or a concurrent run leaves no half of it.
function install(spec, folder) {
  const staging = mkdtempSync(`${folder}-`);
  const flags = ['--prefix', staging, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, spec], {
    stdio: 'inherit',
    cwd: staging,
    shell: process.platform === 'win32',
  });
  if (existsSync(folder)) rmSync(staging, { recursive: true });
  else renameSync(staging, folder);
}

function cacheFolder() {
  const home = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  for (const parent of [home, tmpdir()]) {
    try {
      const folder = path.join(parent, 'sekisho', 'node');
      mkdirSync(folder, { recursive: true });
      return folder;
    } catch {
      // Not writable: the next one.
    }
  }
  throw new Error('Found no writable folder to keep Node 24 in: set XDG_CACHE_HOME.');
}
