import { openSync, readSync, statSync } from 'node:fs';

/** The first copy of the header, which a commit writes last: https://sqlite.org/walformat.html#the_wal_index_header */
const headerBytes = 48;

/**
 * By device and inode, and never closed: the moment that a process closes a file, it loses every lock that it has on it, those
 * of SQLite too. So there is one for each file, however often its database is opened, and none on Windows, where an open
 * file cannot be removed.
 */
const opened = new Map<string, number>();

/** Says how often it has seen a commit, whoever made it; undefined where it cannot see any. */
export type CommitCount = () => number | undefined;

/**
 * Looks at what SQLite's processes share about the log. To ask SQLite itself (`pragma data_version`) begins and ends a read:
 * 14 µs of a proxied call that takes 350, where this takes 3.
 */
export function commitCountOf(database: string): CommitCount {
  let file: number | undefined | 'none';
  let seen = Buffer.alloc(headerBytes);
  let found = Buffer.alloc(headerBytes);
  let count = 0;
  return () => {
    file ??= openIndex(`${database}-shm`);
    if (file === 'none') return undefined;
    if (readSync(file, found, 0, headerBytes, 0) < headerBytes) return undefined;
    if (!found.equals(seen)) {
      [seen, found] = [found, seen];
      count += 1;
    }
    return count;
  };
}

function openIndex(path: string): number | 'none' {
  if (process.platform === 'win32') return 'none';
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    const key = `${dev}:${ino}`;
    const file = opened.get(key) ?? openSync(path, 'r');
    opened.set(key, file);
    return file;
  } catch {
    return 'none';
  }
}
