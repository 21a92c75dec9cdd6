import type { Entry } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import { columnOf, createStatements, indexesOf, schemaVersion, type Spelling } from './schema.ts';
import { unusableStore } from './unavailable.ts';

export const nextEpoch = 'update sekisho_head set epoch = epoch + 1';

/** The names of a table's columns and indexes in the database. */
export interface FoundTable {
  readonly columns: ReadonlySet<string>;
  readonly indexes: ReadonlySet<string>;
}

/** The statements that add missing columns and indexes to a table, or create it if it does not exist. */
export function upgradeTable(table: Table, found: FoundTable | undefined, spelling: Spelling): readonly string[] {
  if (found === undefined) return createStatements(table, spelling);
  const columns = Object.keys(table.columns).filter((name) => !found.columns.has(name));
  const indexes = indexesOf(table).filter(({ name }) => !found.indexes.has(name));
  return [
    ...columns.map((name) => `alter table ${table.name} add column ${columnOf(table, name, spelling)}`),
    ...indexes.map(({ sql }) => sql),
  ];
}

/** Refuses a migration while other processes use the store, as they do not know the new schema. `names`: the known ones. */
export function refuseInUse(location: string, version: number, names: readonly string[]): Error {
  const list = names.length === 0 ? '' : `: ${names.join(', ')}`;
  return unusableStore(location, {
    en: `it has to be migrated (schema ${version} to ${schemaVersion}), and other Sekisho processes still use it${list}; end them ("sekisho down", close your AI clients, stop Runners) and try again`,
    ja: `移行が必要ですが (スキーマ ${version} → ${schemaVersion})、ほかの Sekisho プロセスが使用中です${list}。終了してから (sekisho down、AI クライアントと Runner の終了) もう一度お試しください`,
  });
}

/** The journal entry of a migration. */
export function migrationEntry(from: number, backup: string, at: string): Entry {
  return {
    project: '',
    at,
    actor: 'system',
    subject: 'store',
    kind: 'store.migrated',
    data: JSON.stringify({ from, to: schemaVersion, backup }),
  };
}
