import { definePort } from '../kernel/port.ts';

/**
 * Makes a folder a root of the store that the caller is in, so that whoever works there finds it. Answers with the database
 * of another store that has it already, and then nothing changed. `look`: only the answer, nothing is made.
 */
export type ClaimRoot = (folder: string, look?: 'look') => string | undefined;

export const claimRoot = definePort<ClaimRoot>('work.claim-root', () => undefined);
