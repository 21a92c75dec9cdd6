import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { getDebianPackage } from './get-debian-package.mjs';

const program = '/usr/bin/bwrap';

/** Installs Debian's package where that is possible. Returns why there is no sandbox to be tested, or undefined. */
export function getBubblewrap() {
  // Set by a process that has tried already.
  return process.env.SEKISHO_NO_BUBBLEWRAP ?? getDebianPackage('bubblewrap', program);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const reason = getBubblewrap();
  console.log(reason ?? `${program} is there`);
  process.exitCode = reason === undefined ? 0 : 1;
}
