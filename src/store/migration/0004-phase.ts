import type { Migration } from '../engine.ts';

export const phase: Migration = { id: 4, name: 'phase', statements: [] };
