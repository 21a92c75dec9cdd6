import type { Migration } from '../engine.ts';

export const fleet: Migration = { id: 3, name: 'fleet', statements: [] };
