import { databaseName } from '../base/database-name.ts';
import type { Problem } from '../kernel/problem.ts';
import { unusableStore } from './unavailable.ts';

export function isPostgresUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}

/** Whether a location is a file. Databases in memory are not supported, and other URLs belong to unknown databases. */
export function isSqliteFile(location: string): boolean {
  return location !== '' && location !== ':memory:' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(location);
}

export function unknownLocation(location: string): Problem {
  return unusableStore(databaseName(location), {
    en: 'this is neither the path of a file nor a postgres:// URL',
    ja: 'ファイルのパスでも postgres:// の URL でもありません',
  });
}
