import { databaseName } from '../kernel/database-name.ts';
import { problem } from '../kernel/problem.ts';
import type { Dialect } from './engine.ts';
import { postgres } from './dialect/postgres.ts';
import { sqlite } from './dialect/sqlite.ts';

/** The first that serves a location opens it. Each loads its driver only then. */
const dialects: readonly Dialect[] = [postgres, sqlite];

/** `location` is the path of a SQLite file or a postgres:// URL. */
export function dialectOf(location: string): Dialect {
  const dialect = dialects.find((candidate) => candidate.serves(location));
  if (dialect === undefined)
    throw problem.STORE_UNAVAILABLE({
      location: databaseName(location),
      reason: {
        en: 'this is neither the path of a file nor a postgres:// URL',
        ja: 'ファイルのパスでも postgres:// の URL でもありません',
      },
    });
  return dialect;
}
