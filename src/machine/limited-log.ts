import { copyFileSync, statSync, truncateSync } from 'node:fs';

/**
 * Keeps a file small that this process and its children append to: beyond the limit it becomes `<file>.1`, in place of the one
 * before. Whoever has it open writes on at its new end. Returns how to stop.
 */
export function limitLog(file: string, bytes: number, everyMs: number): () => void {
  const look = () => {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= bytes) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  };
  look();
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}
