import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** Installs a Debian package if possible. Returns the reason if the program is missing afterwards. */
export function getDebianPackage(name, program) {
  if (process.platform !== 'linux') return `${process.platform} has no ${name}`;
  if (existsSync(program)) return undefined;
  if (!existsSync('/usr/bin/apt-get')) return `${name} is not installed, and there is no apt-get to install it`;
  const rights = process.getuid() === 0 ? '' : 'sudo -n ';
  // RUNLEVEL=1 keeps a package from starting its server.
  const install = `${rights}env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${name}`;
  const script = `[ -e ${program} ] || ${install} || { ${rights}apt-get update && ${install}; }`;
  // A lock, because apt-get refuses to run twice at a time, and test files run in parallel.
  const lock = path.join(tmpdir(), `sekisho-apt-${process.getuid()}.lock`);
  spawnSync('flock', [lock, 'sh', '-c', script], { stdio: 'ignore', timeout: 600_000 });
  return existsSync(program) ? undefined : `${name} is not installed, and apt-get could not install it`;
}
