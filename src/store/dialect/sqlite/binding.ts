import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { problem } from '../../../kernel/problem.ts';

interface Binding {
  readonly DatabaseSync: new (path: string, options: { timeout: number }) => DatabaseSyncInstance;
}

let loaded: Binding | undefined;

/**
 * The driver's compiled file alone: its package's own entry takes a short process 6 ms longer, `require` still one. The file
 * lacks only the wrappers for tag stores, limits and calls without `new`, which we do not use.
 */
export function loadBinding(): Binding {
  loaded ??= load();
  return loaded;
}

function load(): Binding {
  const module = { exports: {} };
  process.dlopen(module, findCompiled());
  return module.exports as Binding;
}

/** Beside the code, where the build has put it; from the sources in the package itself. */
function findCompiled(): string {
  const platform = `${process.platform}-${process.arch}`;
  const library = runsOnMusl() ? 'musl' : 'glibc';
  const beside = join('sqlite', platform, `${library}.node`);
  const inside = join(
    'node_modules/@photostructure/sqlite/prebuilds',
    platform,
    `@photostructure+sqlite.${library}.node`,
  );
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = [beside, inside].map((name) => join(folder, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    if (folder === dirname(folder)) throw problem.PLATFORM_UNSUPPORTED({ platform });
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
