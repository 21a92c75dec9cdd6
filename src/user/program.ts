import { sha256 } from '../base/crypto.ts';
import { type Author, entry } from '../kernel/store/journal.ts';
import { parsed, text, readRows } from '../kernel/store/row.ts';
import type { Store } from '../kernel/store/store.ts';

/** SHA-256 of each file below a folder, by its relative path. */
export type Digests = Readonly<Record<string, string>>;

/** A folder of the program as `init` recorded it. The shim is a single file, with the path ''. */
export interface ProgramRecord {
  readonly folder: string;
  readonly version: string;
  readonly files: Digests;
}

export async function readPrograms(store: Store): Promise<readonly ProgramRecord[]> {
  const rows = await readRows(store, 'select folder, version, files from program order by folder');
  return rows.map((row) => ({
    folder: text(row, 'folder'),
    version: text(row, 'version'),
    files: parsed(row, 'files') as Digests,
  }));
}

export async function recordProgram(
  store: Store,
  by: Author,
  { folder, version, files }: ProgramRecord,
): Promise<void> {
  const listed = JSON.stringify(files);
  await store.commit(
    [
      {
        sql: `insert into program (folder, version, files, actor, at) values (:folder, :version, :files, :actor, :at)
          on conflict (folder) do update set version = excluded.version, files = excluded.files, actor = excluded.actor, at = excluded.at`,
        args: { folder, version, files: listed, actor: by.actor.id, at: by.now().toISOString() },
      },
    ],
    [entry(by, folder, 'program.recorded', { version, files: Object.keys(files).length, digest: sha256(listed) })],
  );
}
