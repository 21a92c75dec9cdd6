import type { Row } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import { type BackupHeader, readHeader, readPages } from './backup-file.ts';
import type { StoredRow, StoredTable } from './engine.ts';
import { journal } from './schema.ts';
import { type Fault, type Report, checkRow, collectFaults, createChainCheck, keyOf } from './verify.ts';
import { verifyText } from './verify-text.ts';

/** A backup that was read and checked as a whole. */
export interface CheckedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly rows: Readonly<Record<string, number>>;
  readonly sha256: string;
  /** When the newest entry of its journal was written; undefined for an empty one. */
  readonly newestAt: string | undefined;
  /** The projects in its journal. */
  readonly projects: ReadonlySet<string>;
  /** Rows that differ from the journal. The file itself is intact: the store had these faults when it was backed up. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
}

/** Reads a whole backup: checksum and counts, then the journal's chain and the digest of every row, as `journal verify` does. */
export async function checkBackup(file: string, tables: readonly Table[]): Promise<CheckedBackup> {
  const header = await readHeader(file);
  const found = collectFaults();
  const chain = createChainCheck(found.report);
  const known = new Map(tables.map((one) => [one.name, one]));
  const projects = new Set<string>();
  let newestAt: string | undefined;
  const take = (table: StoredTable, row: Row) => {
    const declared = known.get(table.name);
    if (table.name === journal.name) {
      chain.check(row);
      projects.add(String(row['project']));
      newestAt = String(row['at']);
    } else if (declared !== undefined && declared.volatile !== 'all') {
      const digests = chain.digests(table.name);
      const key = JSON.stringify(keyOf(declared, row));
      checkRow(declared, row, digests.get(key), found.report);
      digests.delete(key);
    }
  };
  const pages = readPages(file);
  let next = await pages.next();
  for (; next.done !== true; next = await pages.next())
    for (const values of next.value.rows) take(next.value.table, rowOf(next.value.table, values));
  for (const { name } of known.values()) reportLeft(name, chain.digests(name), found.report);
  if (chain.seq !== header.head.seq || (chain.seq > 0 && chain.link !== header.head.link))
    found.report('sekisho_head', [1], 'changed', verifyText.head);
  const { faults, count } = found;
  return { file, header, ...next.value, newestAt, projects, faults, faultCount: count };
}

function rowOf({ columns }: StoredTable, values: StoredRow): Row {
  return Object.fromEntries(columns.map(([name], index) => [name, values[index] ?? null]));
}

/** Reports rows that are in the journal but not in the table. */
function reportLeft(table: string, digests: ReadonlyMap<string, string>, report: Report): void {
  for (const key of digests.keys()) report(table, JSON.parse(key) as Fault['key'], 'removed', verifyText.removed);
}
