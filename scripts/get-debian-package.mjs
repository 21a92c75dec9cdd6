import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** Installs a package of Debian's where that is possible. Returns why the program is not there, or undefined. */
export function getDebianPackage(name, program) {
  if (process.platform !== 'linux') return `${process.platform} has no ${name}`;
  if (existsSync(program)) return undefined;
  if (!existsSync('/usr/bin/apt-get')) return `${name} is not installed, and there is no apt-get to install it`;
  const rights = process.getuid() === 0 ? '' : 'sudo -n ';
  // RUNLEVEL: a package with a server does not start it.
  const install = `${rights}env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${name}`;
  const script = `[ -e ${program} ] || ${install} || { ${rights}apt-get update && ${install}; }`;
  // One after the other: apt-get refuses a second one at the same time, and test files run side by side.
  const lock = path.join(tmpdir(), `sekisho-apt-${process.getuid()}.lock`);
  spawnSync('flock', [lock, 'sh', '-c', script], { stdio: 'ignore', timeout: 600_000 });
  return existsSync(program) ? undefined : `${name} is not installed, and apt-get could not install it`;
}
