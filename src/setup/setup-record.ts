import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../config/trust.ts';
import { type Draft, missingFolders } from './draft.ts';
import { type Part, withoutPart } from './setup-part.ts';

/** One file that `init` changed: its content before, its digest after, and our parts per checkout. */
interface ChangedFile {
  /** In base64; null if the file did not exist. */
  readonly before: string | null;
  /** The digest after our change. If the file has another one, it was changed since. */
  readonly after: string;
  /** The folders that we created for it, outermost last. */
  readonly folders: readonly string[];
  readonly parts: readonly { readonly tree: string; readonly part: Part }[];
}

/** The changed files by path, for all projects of the user: some files serve several projects. */
export type SetupRecord = Readonly<Record<string, ChangedFile>>;

function fileOf(state: string): string {
  return join(state, 'setup.json');
}

export function readSetup(state: string): SetupRecord {
  try {
    return JSON.parse(readFileSync(fileOf(state), 'utf8')) as SetupRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}; // Nothing has been set up yet.
    throw error;
  }
}

export function writeSetup(state: string, record: SetupRecord): void {
  // Only the owner can read it then: clients keep secrets in some of these files.
  replaceFile(fileOf(state), JSON.stringify(record));
}

/** Records the changes of these parts. A file that had everything before `init` is not recorded. */
export function noteParts(
  record: SetupRecord,
  tree: string,
  parts: readonly Part[],
  draft: Draft,
  /** Folders that are created beside a file, by its path. */
  beside: Readonly<Record<string, readonly string[]>>,
): SetupRecord {
  const changed = new Set(draft.changes().map((one) => one.path));
  const paths = [...new Set(parts.map((one) => one.path))].filter((path) => changed.has(path) || path in record);
  const noted = paths.map((path) => {
    const before = draft.before(path);
    const known = record[path];
    const fresh = parts.filter((one) => one.path === path).map((part) => ({ tree, part }));
    const kept = (known?.parts ?? []).filter((one) => !fresh.some((other) => isSame(one, other)));
    const made = [...(beside[path] ?? []), ...missingFolders(path)];
    return [
      path,
      {
        before: known === undefined ? encode(before) : originalOf(known, before),
        after: digest(draft.read(path)),
        folders: [...new Set([...made, ...(known?.folders ?? [])])],
        parts: [...kept, ...fresh],
      },
    ] as const;
  });
  return { ...record, ...Object.fromEntries(noted) };
}

/** The file without our parts. If it was changed since, this differs from the recorded original. */
function originalOf(known: ChangedFile, now: Buffer | undefined): string | null {
  if (digest(now) === known.after) return known.before;
  const parts = known.parts.map((one) => one.part);
  return encode(removeParts(known, now, parts));
}

interface Withdrawal {
  readonly record: SetupRecord;
  readonly folders: readonly string[];
  readonly changed: readonly string[];
}

export function withdrawTree(record: SetupRecord, tree: string, draft: Draft): Withdrawal {
  return takeOut(record, draft, (one) => one.tree === tree);
}

/** Removes these parts, in the draft, even if they are not recorded. */
export function withdrawParts(record: SetupRecord, tree: string, parts: readonly Part[], draft: Draft): Withdrawal {
  const unknown = parts.map((part) => [part.path, { before: null, after: '', folders: [], parts: [{ tree, part }] }]);
  return takeOut({ ...(Object.fromEntries(unknown) as SetupRecord), ...record }, draft, (one) =>
    parts.some(({ path, client }) => one.part.path === path && one.part.client === client),
  );
}

function takeOut(
  record: SetupRecord,
  draft: Draft,
  goes: (one: { readonly tree: string; readonly part: Part }) => boolean,
): Withdrawal {
  const rest: Record<string, ChangedFile> = {};
  const folders: string[] = [];
  const changed: string[] = [];
  for (const [path, known] of Object.entries(record)) {
    const others = known.parts.filter((one) => !goes(one));
    if (others.length === known.parts.length) {
      rest[path] = known;
      continue;
    }
    const now = draft.before(path);
    const untouched = digest(now) === known.after;
    const needed = others.map((one) => JSON.stringify(one.part));
    const gone = known.parts.filter(goes).map((one) => one.part);
    const ours = gone.filter((part) => !needed.includes(JSON.stringify(part)));
    const left = untouched && others.length === 0 ? decode(known.before) : removeParts(known, now, ours);
    draft.write(path, left);
    if (!untouched && left !== undefined) changed.push(path);
    if (others.length === 0) folders.push(...known.folders);
    else rest[path] = { ...known, parts: others, after: untouched ? digest(left) : known.after };
  }
  // Inner folders come before the folders that contain them.
  return { record: rest, folders: [...new Set(folders)].toSorted((a, b) => b.length - a.length), changed };
}

function removeParts(known: ChangedFile, now: Buffer | undefined, parts: readonly Part[]): Buffer | undefined {
  const original = decode(known.before)?.toString();
  const before = now?.toString();
  const left = parts.reduce<string | undefined>(
    (text, part) => (text === undefined ? undefined : withoutPart(part, text, original)),
    before,
  );
  return left === before ? now : left === undefined ? undefined : Buffer.from(left);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function digest(content: Buffer | undefined): string {
  return content === undefined ? '' : createHash('sha256').update(content).digest('hex');
}

function encode(content: Buffer | undefined): string | null {
  return content?.toString('base64') ?? null;
}

function decode(content: string | null): Buffer | undefined {
  return content === null ? undefined : Buffer.from(content, 'base64');
}
