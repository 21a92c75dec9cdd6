import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** The folder of an npm package that is too large to be our dependency, downloaded on first use. No install script runs. */
export function getPackage(name, version) {
  const folder = path.join(cacheFolder(), `${name.replaceAll('/', '+')}-${version}`);
  if (!existsSync(folder)) install(`${name}@${version}`, folder);
  return path.join(folder, 'node_modules', name);
}

// Installs into a temporary folder and renames it, so that an interrupted or a concurrent run leaves no partial package.
function install(spec, folder) {
  const staging = mkdtempSync(`${folder}-`);
  const flags = ['--prefix', staging, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, spec], {
    stdio: 'inherit',
    cwd: staging,
    shell: process.platform === 'win32',
  });
  try {
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(staging, { recursive: true }); // Another run was faster.
  }
}

function cacheFolder() {
  const home = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  // All users share the temporary folder, so ours has our user id, and a folder of another user is not used.
  for (const parent of [path.join(home, 'sekisho'), path.join(tmpdir(), `sekisho-${process.getuid?.() ?? 0}`)]) {
    try {
      const folder = path.join(parent, 'npm');
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // Not writable: try the next one.
    }
  }
  throw new Error('Found no writable folder to keep packages in: set XDG_CACHE_HOME.');
}
