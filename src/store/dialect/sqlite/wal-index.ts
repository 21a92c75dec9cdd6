import { fstatSync, openSync, readSync, statSync } from 'node:fs';

/** The first copy of the header, which a commit writes last: https://sqlite.org/walformat.html#the_wal_index_header */
const headerBytes = 48;
/** A file system may show each process what it wrote itself, and not yet what others did. SQLite itself knows better. */
const ASK_EVERY_MS = 1000;

/**
 * By device and inode, and never closed: the moment that a process closes a file, it loses every lock that it has on it, those
 * of SQLite too. So there is one for each file, however often its database is opened, and none on Windows, where an open
 * file cannot be removed.
 */
const opened = new Map<string, number>();

/** Says how often it has seen a commit, whoever made it; undefined where it cannot see any. */
export type CommitCount = () => number | undefined;

/**
 * Looks at what SQLite's processes share about the log. To ask SQLite each time (`pragma data_version`) begins and ends a read:
 * 14 µs of a proxied call that takes 350, where this takes 3. `ask` does so from time to time.
 */
export function commitCountOf(
  database: string,
  ask: () => unknown,
  clock: () => number = () => performance.now(),
): CommitCount {
  let file: number | undefined | 'none';
  let seen = Buffer.alloc(headerBytes);
  let found = Buffer.alloc(headerBytes);
  let changes = 0;
  /** What SQLite said had happened: it counts, whether or not it was seen here too. */
  let told = 0;
  let asked = { at: -Infinity, answer: undefined as unknown, changes };

  const look = (index: number): void => {
    if (readSync(index, found, 0, headerBytes, 0) < headerBytes) throw new Error('the index of the log is too short');
    if (found.equals(seen)) return;
    [seen, found] = [found, seen];
    changes += 1;
  };
  const count = (index: number): number | undefined => {
    const at = clock();
    look(index);
    if (at - asked.at <= ASK_EVERY_MS) return changes + told;
    const before = changes;
    const answer = ask();
    // Afterwards again: what SQLite has seen by then must be there to be seen.
    look(index);
    if (asked.answer !== undefined && answer !== asked.answer) {
      told += 1;
      if (changes === asked.changes) file = 'none';
    }
    asked = { at, answer, changes: before };
    return file === 'none' ? undefined : changes + told;
  };
  return () => {
    file ??= openIndex(`${database}-shm`);
    if (file === 'none') return undefined;
    try {
      return count(file);
    } catch {
      return undefined; // Busy, or a disk in trouble: whoever asks reads instead, and hears why.
    }
  };
}

function openIndex(path: string): number | 'none' {
  if (process.platform === 'win32') return 'none';
  try {
    const named = keyOf(statSync(path, { bigint: true }));
    const before = opened.get(named);
    if (before !== undefined) return before;
    const file = openSync(path, 'r');
    const key = keyOf(fstatSync(file, { bigint: true }));
    opened.set(key, file);
    return key === named ? file : 'none';
  } catch {
    return 'none';
  }
}

function keyOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
