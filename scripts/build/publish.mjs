import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/**
 * Puts the files in place by renaming and leaves equal ones, so that a process that starts or runs at the same time finds
 * one complete build. Returns whether anything changed.
 */
export function publish(dist, files, keepStaleMs) {
  mkdirSync(dist, { recursive: true });
  const changed = files.filter(({ name, text }) => text !== readIfThere(path.join(dist, name)));
  const staging = mkdtempSync(path.join(dist, '.new-'));
  for (const { name, text } of changed) writeFileSync(path.join(staging, name), text);
  for (const { name } of changed) renameSync(path.join(staging, name), path.join(dist, name));
  rmSync(staging, { recursive: true });
  removeStaleCache(path.join(dist, '.cache'), [...files, ...removeStale(dist, files, keepStaleMs)]);
  return changed.length > 0;
}

/** Removes replaced files after a while: a daemon of an earlier build may still need its lazy chunks and its list of tools. */
function removeStale(dist, files, keepMs) {
  const record = path.join(dist, '.stale.json');
  const since = new Map(Object.entries(JSON.parse(readIfThere(record) ?? '{}')));
  const current = new Set(files.map(({ name }) => name));
  const stale = readdirSync(dist).filter((name) => /\.cjs$|^tools\..*\.json$/.test(name) && !current.has(name));
  const kept = stale.filter((name) => Date.now() - (since.get(name) ?? Date.now()) < keepMs);
  for (const name of stale) if (!kept.includes(name)) rmSync(path.join(dist, name), { force: true });
  const entries = kept.map((name) => [name, since.get(name) ?? Date.now()]);
  writeFileSync(record, `${JSON.stringify(Object.fromEntries(entries))}\n`);
  return kept.map((name) => ({ name, text: readIfThere(path.join(dist, name)) ?? '' }));
}

function removeStaleCache(cache, files) {
  // The names that bin/sekisho gives to cache entries.
  const valid = new Set(files.map(({ name, text }) => `${name}-${text.slice(2, 18)}`));
  for (const folder of existsSync(cache) ? readdirSync(cache) : []) {
    const stale = readdirSync(path.join(cache, folder)).filter((name) => !valid.has(name));
    for (const name of stale) rmSync(path.join(cache, folder, name), { force: true });
  }
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
