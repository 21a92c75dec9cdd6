import { mkdtempSync, realpathSync, rmSync } from 'node:fs';

const tasks = [];

/** Runs when the benchmark ends, however it ends; the last first. */
export function atExit(task) {
  tasks.push(task);
}

process.once('exit', () => {
  for (const task of tasks.toReversed()) task();
});
// A signal alone would skip that.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

export function temporaryFolder(prefix) {
  const folder = realpathSync(mkdtempSync(prefix));
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
