import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

interface Binding {
  readonly DatabaseSync: new (path: string, options: { timeout: number }) => DatabaseSyncInstance;
}

/**
 * Loads the package's prebuilt binary itself: finding it through the package's own entry costs a short process 6 ms.
 * The binary lacks only the wrappers for tag stores, limits and calls without `new`, which we do not use.
 */
export function loadBinding(): Binding {
  const require = createRequire(import.meta.url);
  try {
    const home = dirname(require.resolve('@photostructure/sqlite/package.json'));
    const libc = process.platform === 'linux' && runsOnMusl() ? 'musl' : 'glibc';
    const file = join(home, 'prebuilds', `${process.platform}-${process.arch}`, `@photostructure+sqlite.${libc}.node`);
    return require(file) as Binding;
  } catch {
    // No prebuilt binary for this platform: the package finds one that was compiled on it, or says why there is none.
    return require('@photostructure/sqlite') as Binding;
  }
}

/** The loader that the running executable asks for stands near its beginning. */
function runsOnMusl(): boolean {
  const file = openSync(process.execPath, 'r');
  try {
    const start = Buffer.alloc(2048);
    readSync(file, start, 0, start.length, 0);
    return start.includes('/ld-musl-');
  } finally {
    closeSync(file);
  }
}
