import { existsSync } from 'node:fs';
import type { Config } from '../config/load.ts';
import type { Store } from '../kernel/store.ts';
import type { Verification } from '../store/verify.ts';
import { verifyStore } from '../store/verify.ts';
import { tables as userTables } from '../user/tables.ts';
import { tables } from './tables.ts';
import { admissionFaults } from './admitted.ts';
import { trustFaults } from './trust-files.ts';
import { userHeadFaults } from './user-head.ts';
import { openUserStore } from './user-store.ts';

/** A project's store and the user's own state: whoever could change people, tokens or trust there could decide here. */
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
  const store = await openUserStore(config);
  try {
    const found = await verifyStore(store, userTables);
    const copies = await trustFaults(config);
    return { ...found, faults: [...found.faults, ...copies], faultCount: found.faultCount + copies.length };
  } finally {
    await store.close();
  }
}
