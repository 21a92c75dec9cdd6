import type { Migration } from './engine.ts';
import { foundation } from './migration/0001-foundation.ts';

export const migrations: readonly Migration[] = [foundation];
