import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

interface Binding {
  readonly DatabaseSync: new (path: string, options: { timeout: number }) => DatabaseSyncInstance;
}

let loaded: Binding | undefined;

/**
 * Loads the package's prebuilt binary itself: the package's own entry takes a short process 6 ms longer, `require` still one.
 * The binary lacks only the wrappers for tag stores, limits and calls without `new`, which we do not use.
 */
export function loadBinding(): Binding {
  loaded ??= loadPrebuilt() ?? (createRequire(import.meta.url)('@photostructure/sqlite') as Binding);
  return loaded;
}

function loadPrebuilt(): Binding | undefined {
  const file = findPrebuilt();
  if (file === undefined) return undefined;
  const module = { exports: {} };
  try {
    process.dlopen(module, file);
  } catch {
    // It does not fit this machine; the package may find one that was compiled on it, or says why there is none.
    return undefined;
  }
  return module.exports as Binding;
}

/** Looks where Node would; its own `resolve` of a package takes 3 ms. */
function findPrebuilt(): string | undefined {
  const name = `@photostructure+sqlite.${runsOnMusl() ? 'musl' : 'glibc'}.node`;
  const inside = join('node_modules/@photostructure/sqlite/prebuilds', `${process.platform}-${process.arch}`, name);
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, inside);
    if (existsSync(file)) return file;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** Where musl is installed at all, the executable says near its beginning whether it is the one that it uses. */
function runsOnMusl(): boolean {
  const architecture = process.arch === 'x64' ? 'x86_64' : 'aarch64';
  if (process.platform !== 'linux' || !existsSync(`/lib/ld-musl-${architecture}.so.1`)) return false;
  const file = openSync(process.execPath, 'r');
  try {
    const start = Buffer.alloc(2048);
    readSync(file, start, 0, start.length, 0);
    return start.includes('/ld-musl-');
  } finally {
    closeSync(file);
  }
}
