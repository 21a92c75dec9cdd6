import { tables } from '../../src/app/tables.ts';
import { problem } from '../../src/kernel/problem.ts';
import { openFoundStore } from '../../src/store/open-found.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { wasTouched } from './by-hand.ts';

/** Whatever the product did to a database, its journal must account for: every test with a world of its own asks this at its end. */
export async function expectAsWritten(location: string): Promise<void> {
  if (wasTouched(location)) return;
  const store = await openFoundStore(location).catch((error: unknown) => {
    if (problem.STORE_UNAVAILABLE.is(error)) return undefined; // The test took it away, or replaced it.
    throw error;
  });
  if (store === undefined) return;
  try {
    const { faults } = await verifyStore(store, tables);
    if (faults.length > 0) throw new Error(`the journal does not account for ${JSON.stringify(faults.slice(0, 5))}`);
  } finally {
    await store.close();
  }
}
