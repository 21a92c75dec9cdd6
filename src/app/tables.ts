import { fleetTables } from '../fleet/tables.ts';
import { gateTables } from '../gate/tables.ts';
import { kernelTables } from '../kernel/tables.ts';
import type { Table } from '../kernel/table.ts';
import { phaseTables } from '../phase/tables.ts';
import { upstreamTables } from '../upstream/tables.ts';
import { workTables } from '../work/tables.ts';

/** Of all modules. */
export const tables: readonly Table[] = [
  ...kernelTables,
  ...gateTables,
  ...upstreamTables,
  ...fleetTables,
  ...phaseTables,
  ...workTables,
];
