import type { Catalogue } from '../kernel/operation.ts';
import { listOpenMatters } from './operation/list-open-matters.ts';

export const catalogue: Catalogue = { operations: [listOpenMatters], resources: [], prompts: [] };
