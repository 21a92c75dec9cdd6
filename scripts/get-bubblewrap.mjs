import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const program = '/usr/bin/bwrap';

/** Installs Debian's package where that is possible. Returns why there is no sandbox to be tested, or undefined. */
export function getBubblewrap() {
  if (process.platform !== 'linux') return `${process.platform} has no bubblewrap`;
  if (existsSync(program)) return undefined;
  // Whoever started us has tried already.
  if (process.env.SEKISHO_NO_BUBBLEWRAP !== undefined) return process.env.SEKISHO_NO_BUBBLEWRAP;
  if (!existsSync('/usr/bin/apt-get')) return 'bubblewrap is not installed, and there is no apt-get to install it';
  const rights = process.getuid() === 0 ? '' : 'sudo -n ';
  const install = `${rights}apt-get install -y --no-install-recommends bubblewrap`;
  const script = `[ -e ${program} ] || ${install} || { ${rights}apt-get update && ${install}; }`;
  // One after the other: apt-get refuses a second one at the same time, and test files run side by side.
  const lock = path.join(tmpdir(), `sekisho-apt-${process.getuid()}.lock`);
  spawnSync('flock', [lock, 'sh', '-c', script], { stdio: 'ignore', timeout: 600_000 });
  return existsSync(program) ? undefined : 'bubblewrap is not installed, and apt-get could not install it';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const reason = getBubblewrap();
  console.log(reason ?? `${program} is there`);
  process.exitCode = reason === undefined ? 0 : 1;
}
