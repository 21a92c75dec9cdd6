import type { Table } from '../kernel/store/table.ts';
import { tables as ownTables } from '../kernel/store/tables.ts';
import { modules } from '../modules.ts';

/** The tables of the kernel and of all modules. */
export const tables: readonly Table[] = [...ownTables, ...modules.flatMap((one) => one.tables ?? [])];
