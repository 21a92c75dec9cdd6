import type { Catalogue } from '../kernel/operation.ts';
import { activate } from './operation/activate.ts';
import { status } from './operation/status.ts';

export const catalogue: Catalogue = { operations: [activate, status], resources: [], prompts: [] };
