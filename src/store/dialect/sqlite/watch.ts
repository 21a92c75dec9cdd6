import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 160;
const WITHOUT_WATCHER_MS = 20;

/** Calls `hint` when another connection has committed. */
export function watchCommits(db: DatabaseSyncInstance, file: string, hint: () => void): () => void {
  const dataVersion = db.prepare('pragma data_version');
  let known: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** How long the look that is due was put off; 0 where none is due. */
  let delay = 0;
  let hasMore = false;

  function look(): boolean {
    const version = read();
    if (version === known) return false;
    known = version;
    hint();
    return true;
  }

  function lookIn(ms: number): void {
    delay = ms;
    timer = setTimeout(() => {
      delay = 0;
      const found = look();
      if (hasMore) lookIn(FIRST_LOOK_MS);
      // On a slow disk a commit becomes visible later.
      else if (!found && ms < LAST_LOOK_MS) lookIn(ms * 2);
      hasMore = false;
    }, ms).unref();
  }

  /** A file was written. The commit is not visible yet, so the look comes a little later. */
  function expectCommit(): void {
    hasMore = delay === FIRST_LOOK_MS;
    if (hasMore) return;
    clearTimeout(timer);
    lookIn(FIRST_LOOK_MS);
  }

  function read(): number | undefined {
    try {
      return dataVersion.get().data_version;
    } catch {
      // Busy, or a disk in trouble, says nothing about growth: one look at the journal too many does no harm, and says why.
      return undefined;
    }
  }

  known = read();
  let polling: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;

  function pollInstead(): void {
    watcher?.close();
    watcher = undefined;
    polling ??= setInterval(look, WITHOUT_WATCHER_MS).unref();
  }

  try {
    const name = basename(file);
    watcher = watch(dirname(file), { persistent: false }, (_event, changed) => {
      if (changed === null || changed.startsWith(name)) expectCommit();
    });
    watcher.on('error', pollInstead);
  } catch {
    // The system may have no watches left.
    pollInstead();
  }

  return () => {
    watcher?.close();
    watcher = undefined;
    clearTimeout(timer);
    clearInterval(polling);
  };
}
