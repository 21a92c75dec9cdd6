import type { Migration } from '../engine.ts';

export const work: Migration = { id: 5, name: 'work', statements: [] };
