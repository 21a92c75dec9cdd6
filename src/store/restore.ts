import type { Query, Store } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import type { CheckedBackup } from './backup-check.ts';
import { type BackupPage, backupText, readPages, unusableBackup } from './backup-file.ts';
import { firstLink } from './chain.ts';
import { dialectOf } from './dialects.ts';
import type { Head, Replacement, StoredTable } from './engine.ts';
import { describeProcess, listOthers } from './presence.ts';
import { headQuery, journal, schemaVersion } from './schema.ts';
import { unusableStore } from './unavailable.ts';

/** The head of an empty store. */
export const emptyHead: Head = { seq: 0, link: firstLink, epoch: 1 };

/** A comparison of a backup with the store that it would replace. */
export interface Comparison {
  readonly tables: readonly { readonly table: string; readonly now: number; readonly backup: number }[];
  readonly head: Head;
  /** The time of the store's newest entry; undefined if it has none. */
  readonly newestAt: string | undefined;
  /** The changes since the backup; undefined if the backup's head is not in the store's journal. */
  readonly since: { readonly entries: number; readonly runs: number; readonly tasks: number } | undefined;
}

/** Refuses a backup that this version cannot load. An older schema is fine: the columns that were added since can be null. */
export function refuseUnfit({ file, header }: CheckedBackup, tables: readonly Table[]): void {
  const { schema, program } = header;
  if (schema > schemaVersion)
    throw unusableBackup(file, {
      en: `a newer version of Sekisho (${program}) wrote it (schema ${schema}, this one has ${schemaVersion}); update Sekisho`,
      ja: `より新しいバージョンの Sekisho (${program}) で作成されています (スキーマ ${schema}、こちらは ${schemaVersion})。Sekisho を更新してください`,
    });
  const known = new Map([journal, ...tables].map((one) => [one.name, one]));
  const isFit = ({ name, columns }: StoredTable): boolean => {
    const table = known.get(name);
    if (table === undefined) return false;
    const names = columns.map(([column]) => column);
    const lacking = Object.keys(table.columns).filter((column) => !names.includes(column));
    return names.every((column) => column in table.columns) && lacking.every((column) => table.added?.includes(column));
  };
  const odd = header.tables.find((one) => !isFit(one));
  if (odd !== undefined)
    throw unusableBackup(file, {
      en: `its table ${odd.name} is not the one that this version has; restore it with version ${program}`,
      ja: `表 ${odd.name} がこのバージョンのものと違います。バージョン ${program} で復元してください`,
    });
}

/** Refuses a restore while other processes use the store: they would mix what they have read with the restored rows. */
export async function refuseOthers(store: Store): Promise<void> {
  const others = await listOthers(store);
  if (others.length === 0) return;
  const list = others.map(describeProcess).join(', ');
  throw unusableStore(store.location, {
    en: `other Sekisho processes still use it: ${list}; end them ("sekisho down", close your AI clients, stop Runners) and try again. One that was killed is forgotten within a minute`,
    ja: `ほかの Sekisho プロセスが使用中です: ${list}。終了してから (sekisho down、AI クライアントと Runner の終了) もう一度お試しください。強制終了されたものは 1 分以内に消えます`,
  });
}

export async function compareWith(store: Store, tables: readonly Table[], backup: CheckedBackup): Promise<Comparison> {
  const { seq, link } = backup.header.head;
  const all = [journal, ...tables];
  const changed = (kind: string): Query => ({
    sql: `select count(distinct subject) as n from journal where seq > :seq and kind like :kind`,
    args: { seq, kind },
  });
  const [[head] = [], [newest] = [], known = [], [runs] = [], [tasks] = [], ...counts] = await store.read([
    headQuery,
    { sql: 'select at from journal order by seq desc limit 1', args: {} },
    { sql: 'select 1 as found from journal where seq = :seq and link = :link', args: { seq, link } },
    changed('run.%'),
    changed('task.%'),
    ...all.map(({ name }) => ({ sql: `select count(*) as n from ${name}`, args: {} })),
  ]);
  const now = { seq: Number(head?.['seq']), link: String(head?.['link']), epoch: Number(head?.['epoch']) };
  return {
    tables: all.map(({ name }, index) => ({
      table: name,
      now: Number(counts[index]?.[0]?.['n']),
      backup: backup.rows[name] ?? 0,
    })),
    head: now,
    newestAt: newest === undefined ? undefined : String(newest['at']),
    since:
      known.length === 0 && seq > 0
        ? undefined
        : { entries: now.seq - seq, runs: Number(runs?.['n']), tasks: Number(tasks?.['n']) },
  };
}

/** Replaces everything in the store with the backup, all or nothing. False if the store's head is no longer `replaces`. */
export function replaceStore(
  location: string,
  tables: readonly Table[],
  backup: CheckedBackup,
  by: Pick<Replacement, 'replaces' | 'epoch' | 'writes' | 'journal'>,
): Promise<boolean> {
  const { head } = backup.header;
  return dialectOf(location).replace(location, [journal, ...tables], { ...by, head, rows: samePages(backup) });
}

/** The pages of the checked file. A file that was changed since throws, which ends the transaction. */
async function* samePages({ file, sha256 }: CheckedBackup): AsyncGenerator<BackupPage> {
  const end = yield* readPages(file);
  if (end.sha256 !== sha256) throw unusableBackup(file, backupText.changed);
}
