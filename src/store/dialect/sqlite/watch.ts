import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

const LOOK_EVERY_MS = 1;
const LOOK_FOR_MS = 25;
/** A slow disk makes a commit visible late: then look on, less often. */
const LINGER_EVERY_MS = 5;
const LINGER_FOR_MS = 250;
const WITHOUT_WATCHER_MS = 20;

/** Calls `hint` when another connection has committed. */
export function watchCommits(db: DatabaseSyncInstance, file: string, hint: () => void): () => void {
  const dataVersion = db.prepare('pragma data_version');
  let known: number | undefined;
  let until = 0;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    timer = undefined;
    const version = read();
    if (version !== known) {
      known = version;
      hint();
    }
    const left = until - performance.now();
    if (left > 0) timer = setTimeout(look, left > LINGER_FOR_MS ? LOOK_EVERY_MS : LINGER_EVERY_MS).unref();
  }

  function read(): number | undefined {
    try {
      return dataVersion.get().data_version;
    } catch {
      // Busy, or a disk in trouble, says nothing about growth: better one look at the journal too many, which says why.
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
      if (changed !== null && !changed.startsWith(name)) return;
      // The event comes before the commit is visible, hence the looks that follow.
      until = performance.now() + LOOK_FOR_MS + LINGER_FOR_MS;
      timer ??= setTimeout(look, LOOK_EVERY_MS).unref();
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
    until = 0;
  };
}
