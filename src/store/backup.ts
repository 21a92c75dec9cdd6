import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { randomHex } from '../base/crypto.ts';
import { problem } from '../kernel/problem.ts';
import type { Table } from '../kernel/store/table.ts';
import { version } from '../base/version.ts';
import { type CheckedBackup, checkBackup } from './backup-check.ts';
import { type BackupHeader, backupFormat, backupVersion } from './backup-file.ts';
import type { Snapshot } from './engine.ts';
import { dialectOf } from './dialects.ts';
import { isSqliteFile } from './location.ts';
import { journal } from './schema.ts';

export interface BackupSummary extends CheckedBackup {
  readonly bytes: number;
}

/** Opens a snapshot of the database: the journal first, then those of these tables that exist. */
export function openSnapshot(location: string, tables: readonly Table[]): Promise<Snapshot> {
  return dialectOf(location).snapshot(location, [journal, ...tables]);
}

/** Writes a snapshot to a new file in a folder, by default beside the database file. Returns the file's path. */
export async function backUpInto(
  folder: string | undefined,
  snapshot: Snapshot,
  tables: readonly Table[],
): Promise<string> {
  const { schema, location } = snapshot;
  // A server's URL would become a folder in the working directory.
  if (folder === undefined && !isSqliteFile(location)) throw new TypeError('backups of a server need a folder');
  const target = folder ?? join(dirname(location), 'backups');
  await mkdir(target, { recursive: true, mode: 0o700 });
  const name = basename(location).replaceAll(/[^\w.-]/g, '_');
  const file = join(target, `${name}-schema-${schema}-${new Date().toISOString().replaceAll(/[:.]/g, '')}.backup`);
  await writeBackup(snapshot, file, tables);
  return file;
}

/**
 * Writes a snapshot to a file and reads it back. The file gets its name only then, so a file with that name is complete.
 * `tables` are those of this version; every row is compared with the journal by them.
 */
export async function writeBackup(
  snapshot: Snapshot,
  file: string,
  tables: readonly Table[],
  { force = false }: { readonly force?: boolean } = {},
): Promise<BackupSummary> {
  if (!force && existsSync(file)) throw problem.BACKUP_EXISTS({ file });
  const draft = `${file}.${randomHex().slice(0, 8)}.part`;
  try {
    // Readable by its owner only: it contains evidence and hashes of secrets.
    const target = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(Readable.from(linesOf(snapshot)), createGzip(), target);
    const checked = await checkBackup(draft, tables);
    const { size } = await stat(draft);
    await rename(draft, file);
    await syncFolder(dirname(file));
    return { ...checked, file, bytes: size };
  } finally {
    await rm(draft, { force: true });
  }
}

async function* linesOf(snapshot: Snapshot): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const counts: Record<string, number> = {};
  const line = (said: object): string => {
    const text = `${JSON.stringify(said)}\n`;
    digest.update(text);
    return text;
  };
  const { schema, location, head, tables } = snapshot;
  const header: BackupHeader = {
    format: backupFormat,
    version: backupVersion,
    schema,
    made_at: new Date().toISOString(),
    program: version,
    location,
    head,
    tables,
  };
  yield line(header);
  for (const table of tables) {
    counts[table.name] = 0;
    for await (const rows of snapshot.rows(table)) {
      counts[table.name] = (counts[table.name] ?? 0) + rows.length;
      yield line({ table: table.name, rows });
    }
  }
  yield `${JSON.stringify({ end: { rows: counts, sha256: digest.digest('hex') } })}\n`;
}

/** Flushes a folder, so that the new name survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
