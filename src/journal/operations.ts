import type { Catalogue } from '../kernel/operation.ts';
import { listJournal } from './operation/list-journal.ts';
import { verifyJournal } from './operation/verify-journal.ts';

export const catalogue: Catalogue = { operations: [listJournal, verifyJournal], resources: [], prompts: [] };
