import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { isJsonObject } from '../base/json-object.ts';
import { isProblem, problem } from '../kernel/problem.ts';
import type { Words } from '../kernel/text/text.ts';
import type { Head, StoredRow, StoredTable } from './engine.ts';

/**
 * The format: gzip-compressed JSON Lines with a header, batches of rows table by table (the journal first, so that all other
 * rows can be compared with it), and an end with the number of rows and the SHA-256 of all lines before it. Nothing in it is
 * specific to one database.
 */
export const backupFormat = 'sekisho-backup';
export const backupVersion = 1;

export interface BackupHeader {
  readonly format: typeof backupFormat;
  readonly version: typeof backupVersion;
  readonly schema: number;
  readonly made_at: string;
  /** The version of the program that wrote it. */
  readonly program: string;
  /** The database that was backed up. */
  readonly location: string;
  readonly head: Head;
  readonly tables: readonly StoredTable[];
}

export interface BackupPage {
  readonly table: StoredTable;
  readonly rows: readonly StoredRow[];
}

export interface BackupEnd {
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly sha256: string;
}

const newline = 10;
/** The longest line, far above the size of a batch: a line without an end must not fill the memory. */
const longestLine = 256 * 1024 * 1024;

/** The reasons why a file cannot be restored. */
export const backupText = {
  foreign: { en: 'it is not a backup made by sekisho backup', ja: 'sekisho backup で作成したものではありません' },
  newer: {
    en: 'a newer version of Sekisho wrote it; update Sekisho',
    ja: 'より新しいバージョンの Sekisho で作成されています。Sekisho を更新してください',
  },
  cut: { en: 'its end is missing', ja: '末尾が欠けています' },
  changed: {
    en: 'its content is not what was written: the checksum does not match',
    ja: '書き込まれた内容と違います (チェックサムが一致しません)',
  },
  damaged: {
    en: 'it is damaged, or not a backup made by sekisho backup',
    ja: '壊れているか、sekisho backup で作成したものではありません',
  },
} as const satisfies Readonly<Record<string, Words>>;

export async function readHeader(file: string): Promise<BackupHeader> {
  for await (const line of linesOf(file)) return headerOf(file, line);
  throw unusableBackup(file, backupText.cut);
}

/** Reads every row in the order of the file. A damaged file throws at the end, so the rows are valid only if it returns. */
export async function* readPages(file: string): AsyncGenerator<BackupPage, BackupEnd> {
  const digest = createHash('sha256');
  const counts: Record<string, number> = {};
  let tables: ReadonlyMap<string, StoredTable> | undefined;
  let end: BackupEnd | undefined;
  for await (const line of linesOf(file)) {
    if (end !== undefined) throw unusableBackup(file, backupText.changed);
    if (tables === undefined) tables = new Map(headerOf(file, line).tables.map((one) => [one.name, one]));
    else {
      const parsed = parse(file, line);
      if (isJsonObject(parsed['end'])) end = parsed['end'] as unknown as BackupEnd;
      else {
        const page = pageOf(file, parsed, tables);
        counts[page.table.name] = (counts[page.table.name] ?? 0) + page.rows.length;
        yield page;
      }
    }
    if (end === undefined) digest.update(line).update('\n');
  }
  if (end === undefined) throw unusableBackup(file, backupText.cut);
  const isWhole = [...(tables?.keys() ?? [])].every((name) => end.rows[name] === (counts[name] ?? 0));
  if (end.sha256 !== digest.digest('hex') || !isWhole) throw unusableBackup(file, backupText.changed);
  return end;
}

export function unusableBackup(file: string, reason: Words) {
  return problem.BACKUP_UNUSABLE({ file, reason });
}

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const unzipped = createGunzip();
  source.on('error', (error) => unzipped.destroy(error));
  let pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of source.pipe(unzipped) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        yield Buffer.concat([...pieces, chunk.subarray(from, at)]);
        pieces = [];
        length = 0;
        from = at + 1;
      }
      pieces.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > longestLine) throw unusableBackup(file, backupText.changed);
    }
  } catch (error) {
    throw readFailure(file, error);
  } finally {
    source.destroy();
  }
  if (length > 0) throw unusableBackup(file, backupText.cut);
}

function readFailure(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isProblem(error) || !code.startsWith('Z_')) return error;
  if (code === 'Z_BUF_ERROR') return unusableBackup(file, backupText.cut);
  return unusableBackup(file, code === 'Z_DATA_ERROR' ? backupText.damaged : backupText.changed);
}

function parse(file: string, line: Buffer): Readonly<Record<string, unknown>> {
  try {
    const said: unknown = JSON.parse(line.toString('utf8'));
    if (isJsonObject(said)) return said;
  } catch {
    // Below.
  }
  throw unusableBackup(file, backupText.changed);
}

function headerOf(file: string, line: Buffer): BackupHeader {
  const said = parse(file, line);
  if (said['format'] !== backupFormat) throw unusableBackup(file, backupText.foreign);
  if (Number(said['version']) > backupVersion) throw unusableBackup(file, backupText.newer);
  const tables = said['tables'];
  const isSound =
    isJsonObject(said['head']) && typeof said['schema'] === 'number' && Array.isArray(tables) && tables.every(isTable);
  if (!isSound) throw unusableBackup(file, backupText.changed);
  return said as unknown as BackupHeader;
}

/** The only form of table and column names: they become part of SQL statements. */
const name = /^[a-z][a-z0-9_]*$/;

function isTable(said: unknown): said is StoredTable {
  if (!isJsonObject(said)) return false;
  const { columns, key } = said;
  return (
    name.test(String(said['name'])) &&
    Array.isArray(columns) &&
    columns.every(
      (one: unknown) => Array.isArray(one) && name.test(String(one[0])) && ['bigint', 'text'].includes(String(one[1])),
    ) &&
    Array.isArray(key) &&
    key.every((one) => name.test(String(one)))
  );
}

function pageOf(
  file: string,
  said: Readonly<Record<string, unknown>>,
  tables: ReadonlyMap<string, StoredTable>,
): BackupPage {
  const table = tables.get(String(said['table']));
  const { rows } = said;
  const isRow = (one: unknown) => Array.isArray(one) && one.length === table?.columns.length && one.every(isValue);
  if (table === undefined || !Array.isArray(rows) || !rows.every(isRow)) throw unusableBackup(file, backupText.changed);
  return { table, rows: rows as StoredRow[] };
}

function isValue(one: unknown): boolean {
  return one === null || typeof one === 'string' || Number.isSafeInteger(one);
}
