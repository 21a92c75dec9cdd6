import { definePort } from '../kernel/port.ts';

/**
 * Registers a folder as a root of the caller's store, so that commands run in that folder find the store. If the folder
 * belongs to another store, returns that store's database and changes nothing. `look` only checks and registers nothing.
 */
export type ClaimRoot = (folder: string, look?: 'look') => string | undefined;

export const claimRoot = definePort<ClaimRoot>('work.claim-root', () => undefined);
