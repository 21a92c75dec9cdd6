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

  /** The delay of the scheduled look; 0 if none is scheduled. */
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
      // On a slow disk the commit becomes visible later.
      else if (!found && ms < LAST_LOOK_MS) lookIn(ms * 2);
      hasMore = false;
    }, ms).unref();
  }

  /** Schedules a look after a file was written: the commit is not visible at once. */
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
      // A busy or failing database tells nothing about commits. An unnecessary look at the journal does no harm, and reports
      // the failure.
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
