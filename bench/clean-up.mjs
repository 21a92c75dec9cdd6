import { mkdtempSync, realpathSync, rmSync } from 'node:fs';

const tasks = [];

/** Registers a task for the end of the benchmark, however it ends. The last one runs first. */
export function atExit(task) {
  tasks.push(task);
}

process.once('exit', () => {
  for (const task of tasks.toReversed()) task();
});
// A signal alone would skip the tasks.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

export function temporaryFolder(prefix) {
  const folder = realpathSync(mkdtempSync(prefix));
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

export async function closeAll(things) {
  await Promise.all(things.map((one) => one.close()));
}
