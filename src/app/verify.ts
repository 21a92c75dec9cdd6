import { existsSync } from 'node:fs';
import type { Config } from '../config/load.ts';
import type { Store } from '../kernel/store/store.ts';
import { type Verification, verifyStore } from '../store/verify.ts';
import { tables as userTables } from '../user/tables.ts';
import { examineProgram } from '../setup/program-record.ts';
import { tables } from './tables.ts';
import { admissionFaults } from './user/admitted.ts';
import { trustFaults } from './user/trust-files.ts';
import { userHeadFaults } from './user/user-head.ts';
import { withUserStore } from './user/user-store.ts';

/** Verifies a project's store, the user's own state and the program, because people, tokens, trust and code all affect decisions. */
export async function verifyAll(config: Config, store: Store, head: string | undefined): Promise<Verification> {
  const own = await verifyStore(store, tables, head);
  const whole = await userHeadFaults(config, store);
  const people = await admissionFaults(store);
  const user = await verifyUser(config);
  return {
    ...own,
    faults: [...own.faults, ...people.faults, ...whole, ...(user?.faults ?? [])],
    faultCount: own.faultCount + people.count + whole.length + (user?.faultCount ?? 0),
  };
}

async function verifyUser(config: Config): Promise<Verification | undefined> {
  if (!existsSync(config.place.data.userDatabase)) return undefined;
  const found = await withUserStore(config, (store) => verifyStore(store, userTables));
  const program = await examineProgram(config);
  const beside = [...(await trustFaults(config)), ...program.faults, ...program.updates];
  return { ...found, faults: [...found.faults, ...beside], faultCount: found.faultCount + beside.length };
}
