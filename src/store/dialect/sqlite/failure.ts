import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../../base/failure.ts';
import { type Problem, isProblem, problem } from '../../../kernel/problem.ts';
import { diskProblem } from '../../unavailable.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_PROTOCOL = 15;
const SQLITE_NOTADB = 26;
/** The -shm file could not grow. */
const SQLITE_IOERR_SHMSIZE = 4874;
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555;
const SQLITE_CONSTRAINT_UNIQUE = 2067;
const SQLITE_CONSTRAINT_ROWID = 2579;

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
}

// The driver's constructor, `all` and `iterate` throw errors without a code, so the message is checked too.

export function isBusy(error: unknown): boolean {
  const primary = codeOf(error) & 0xff;
  if (primary !== 0) return primary === SQLITE_BUSY || primary === SQLITE_PROTOCOL;
  return error instanceof Error && /database is locked|locking protocol/.test(error.message);
}

export function isDuplicate(error: unknown): boolean {
  const code = codeOf(error);
  if (code === 0) return error instanceof Error && error.message.startsWith('UNIQUE constraint failed');
  return code === SQLITE_CONSTRAINT_PRIMARYKEY || code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_ROWID;
}

const texts: readonly (readonly [RegExp, number])[] = [
  [/database or disk is full/, SQLITE_FULL],
  [/readonly database/, SQLITE_READONLY],
  [/disk I\/O error/, SQLITE_IOERR],
  [/database disk image is malformed/, SQLITE_CORRUPT],
  [/unable to open database file/, SQLITE_CANTOPEN],
  [/file is not a database/, SQLITE_NOTADB],
];

/** The problem of the disk or the file; undefined for other errors. */
export function diskProblemOf(location: string, error: unknown): Problem | undefined {
  if (isProblem(error)) return error;
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && error.code === 'ENOENT') return notWritable(location);
  const code = codeOf(error) || (texts.find(([text]) => text.test(error.message))?.[1] ?? 0);
  const primary = code & 0xff;
  if (primary === SQLITE_FULL || code === SQLITE_IOERR_SHMSIZE) return problem.STORE_FULL({ location });
  if (primary === SQLITE_READONLY) return problem.STORE_READ_ONLY({ location });
  if (primary === SQLITE_IOERR || primary === SQLITE_CANTOPEN)
    return notWritable(location) ?? problem.STORE_UNAVAILABLE({ location, reason: messageOf(error) });
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB)
    return problem.STORE_UNAVAILABLE({ location, reason: messageOf(error) });
  return undefined;
}

/** The problem of a path that is not writable: SQLite does not say it of a read-only disk, nor Node of a folder. */
function notWritable(location: string): Problem | undefined {
  for (let path = location; ; path = dirname(path)) {
    try {
      accessSync(path, constants.W_OK);
      if (path !== location) return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return diskProblem(location, error);
    }
    if (path === dirname(path)) return undefined;
  }
}
