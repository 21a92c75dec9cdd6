import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { problem } from '../../../kernel/problem.ts';

interface Binding {
  readonly DatabaseSync: new (path: string, options: { timeout: number }) => DatabaseSyncInstance;
}

let loaded: Binding | undefined;

/** Opens a connection that does not wait for locks: `busy.ts` does. */
export function openDatabase(file: string): DatabaseSyncInstance {
  loaded ??= load();
  return new loaded.DatabaseSync(file, { timeout: 0 });
}

/**
 * Loads only the driver's compiled file: the package's own entry takes 6 ms longer, `require` still 1 ms. The file lacks only
 * the wrappers for tag stores, limits and calls without `new`, which we do not use.
 */
function load(): Binding {
  const module = { exports: {} };
  process.dlopen(module, findCompiled());
  return module.exports as Binding;
}

/** The path of the compiled file: the build puts it beside the code; from the sources it is in the driver's package. */
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

/** Whether Node runs on musl. If musl is installed, the start of the executable shows whether it uses it. */
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
