import { copyFileSync, statSync, truncateSync } from 'node:fs';

/**
 * Limits a log that this process and its children append to: beyond the limit it is copied to `<file>.1`, which replaces the
 * previous one, and emptied. Processes that have it open continue at its new end. Returns a function that stops it.
 */
export function limitLog(file: string, bytes: number, everyMs: number): () => void {
  const rotate = () => {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= bytes) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  };
  rotate();
  const timer = setInterval(rotate, everyMs).unref();
  return () => clearInterval(timer);
}
