import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Draft, missingFolders } from './draft.ts';
import { type Part, withoutPart } from './setup-part.ts';

/** One file that `init` changed: how it was, how we left it, and what of it is ours for which checkout. */
interface Touched {
  /** In base64; null: it was not there. */
  readonly before: string | null;
  /** The digest of what we left. Another one: somebody changed it since. */
  readonly after: string;
  /** Those that we made for it, the outermost last. */
  readonly folders: readonly string[];
  readonly parts: readonly { readonly tree: string; readonly part: Part }[];
}

/** By path, of all projects of this user together: some of these files serve several. */
export type SetupRecord = Readonly<Record<string, Touched>>;

function fileOf(state: string): string {
  return join(state, 'setup.json');
}

export function readSetup(state: string): SetupRecord {
  try {
    return JSON.parse(readFileSync(fileOf(state), 'utf8')) as SetupRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}; // Nothing was prepared yet.
    throw error;
  }
}

export function writeSetup(state: string, record: SetupRecord): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const draft = `${fileOf(state)}.${process.pid}.new`;
  // Clients keep secrets in some of these files.
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, fileOf(state));
}

/** Remembers what these parts are about to change. A file that said it all before we came is none of ours. */
export function noteParts(
  record: SetupRecord,
  tree: string,
  parts: readonly Part[],
  draft: Draft,
  /** Folders that are made beside a file, by its path. */
  beside: Readonly<Record<string, readonly string[]>>,
): SetupRecord {
  const changed = new Set(draft.changes().map((one) => one.path));
  const paths = [...new Set(parts.map((one) => one.path))].filter((path) => changed.has(path) || path in record);
  const noted = paths.map((path) => {
    const before = draft.before(path);
    const known = record[path];
    const fresh = parts.filter((one) => one.path === path).map((part) => ({ tree, part }));
    const kept = (known?.parts ?? []).filter((one) => !fresh.some((other) => same(one, other)));
    const made = [...(beside[path] ?? []), ...missingFolders(path)];
    return [
      path,
      {
        before: known === undefined ? encoded(before) : originalOf(known, before),
        after: digest(draft.read(path)),
        folders: [...new Set([...made, ...(known?.folders ?? [])])],
        parts: [...kept, ...fresh],
      },
    ] as const;
  });
  return { ...record, ...Object.fromEntries(noted) };
}

/** What the file would be without us. Where somebody changed it since, that is no longer what it was. */
function originalOf(known: Touched, now: Buffer | undefined): string | null {
  if (digest(now) === known.after) return known.before;
  const left = stripped(
    known,
    now,
    known.parts.map((one) => one.part),
  );
  return encoded(left);
}

interface Withdrawn {
  readonly record: SetupRecord;
  /** Those that we had made. */
  readonly folders: readonly string[];
  /** Files that somebody else changed since. */
  readonly changed: readonly string[];
}

/** Puts into the draft what this checkout leaves behind. */
export function withdrawTree(record: SetupRecord, tree: string, draft: Draft): Withdrawn {
  return takeOut(record, draft, (one) => one.tree === tree);
}

/** Puts into the draft these files without our part, also where nobody remembers how it came there. */
export function withdrawParts(record: SetupRecord, tree: string, parts: readonly Part[], draft: Draft): Withdrawn {
  const unknown = parts.map((part) => [part.path, { before: null, after: '', folders: [], parts: [{ tree, part }] }]);
  return takeOut({ ...(Object.fromEntries(unknown) as SetupRecord), ...record }, draft, (one) =>
    parts.some(({ path, client }) => one.part.path === path && one.part.client === client),
  );
}

function takeOut(
  record: SetupRecord,
  draft: Draft,
  goes: (one: { readonly tree: string; readonly part: Part }) => boolean,
): Withdrawn {
  const rest: Record<string, Touched> = {};
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
    const left = untouched && others.length === 0 ? decoded(known.before) : stripped(known, now, ours);
    draft.write(path, left);
    if (!untouched && left !== undefined) changed.push(path);
    if (others.length === 0) folders.push(...known.folders);
    else rest[path] = { ...known, parts: others, after: untouched ? digest(left) : known.after };
  }
  // A folder before the one that it lies in.
  return { record: rest, folders: [...new Set(folders)].toSorted((a, b) => b.length - a.length), changed };
}

function stripped(known: Touched, now: Buffer | undefined, parts: readonly Part[]): Buffer | undefined {
  const original = decoded(known.before)?.toString();
  const before = now?.toString();
  const left = parts.reduce<string | undefined>(
    (text, part) => (text === undefined ? undefined : withoutPart(part, text, original)),
    before,
  );
  return left === before ? now : left === undefined ? undefined : Buffer.from(left);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function digest(content: Buffer | undefined): string {
  return content === undefined ? '' : createHash('sha256').update(content).digest('hex');
}

function encoded(content: Buffer | undefined): string | null {
  return content?.toString('base64') ?? null;
}

function decoded(content: string | null): Buffer | undefined {
  return content === null ? undefined : Buffer.from(content, 'base64');
}
