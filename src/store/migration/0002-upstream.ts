import type { Migration } from '../engine.ts';

export const upstream: Migration = { id: 2, name: 'upstream', statements: [] };
