import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const program = '/usr/bin/bwrap';

/** Installs Debian's package where that is possible. Returns why there is no sandbox to be tested, or undefined. */
export function getBubblewrap() {
  if (process.platform !== 'linux') return `${process.platform} has no bubblewrap`;
  if (existsSync(program)) return undefined;
  if (!existsSync('/usr/bin/apt-get')) return 'bubblewrap is not installed, and there is no apt-get to install it';
  const rights = process.getuid() === 0 ? [] : ['sudo', '-n'];
  const [first, ...rest] = [...rights, 'apt-get', 'install', '-y', '--no-install-recommends', 'bubblewrap'];
  const run = () => spawnSync(first, rest, { stdio: 'ignore', timeout: 180_000 }).status === 0 && existsSync(program);
  if (run()) return undefined;
  const [update, ...words] = [...rights, 'apt-get', 'update'];
  spawnSync(update, words, { stdio: 'ignore', timeout: 180_000 });
  return run() ? undefined : 'bubblewrap is not installed, and apt-get could not install it';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const reason = getBubblewrap();
  console.log(reason ?? `${program} is there`);
  process.exitCode = reason === undefined ? 0 : 1;
}
