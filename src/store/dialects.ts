import type { Dialect } from './engine.ts';
import { postgres } from './dialect/postgres.ts';
import { sqlite } from './dialect/sqlite.ts';
import { unknownLocation } from './location.ts';

/** The dialects. The first one that serves a location opens it, and loads its driver only then. */
const dialects: readonly Dialect[] = [postgres, sqlite];

/** The dialect of a location, which is the path of a SQLite file or a postgres:// URL. */
export function dialectOf(location: string): Dialect {
  const dialect = dialects.find((candidate) => candidate.serves(location));
  if (dialect === undefined) throw unknownLocation(location);
  return dialect;
}
