import type { Dialect } from './engine.ts';
import { postgres } from './dialect/postgres.ts';
import { sqlite } from './dialect/sqlite.ts';

/** The first that serves a location opens it. Each loads its driver only then. */
export const dialects: readonly Dialect[] = [postgres, sqlite];
