import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { getDebianPackage } from './get-debian-package.mjs';

const program = '/usr/bin/bwrap';

/** Installs Debian's package if possible. Returns the reason if the sandbox cannot be tested. */
export function getBubblewrap() {
  // Set by a process that tried before.
  return process.env.SEKISHO_NO_BUBBLEWRAP ?? getDebianPackage('bubblewrap', program);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const reason = getBubblewrap();
  console.log(reason ?? `${program} is there`);
  process.exitCode = reason === undefined ? 0 : 1;
}
