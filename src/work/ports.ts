import { definePort } from '../kernel/port.ts';

/**
 * Makes a folder a root of the store that the caller is in, so that whoever works there finds it. Answers with the database
 * of another store that has it already, and then nothing changed.
 */
export type ClaimRoot = (folder: string) => string | undefined;

export const claimRoot = definePort<ClaimRoot>('work.claim-root', () => undefined);
