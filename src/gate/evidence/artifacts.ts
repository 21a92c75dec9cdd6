import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { posix, relative, resolve, sep } from 'node:path';
import { isWithin } from '../../base/path.ts';
import type { Context } from '../../kernel/context.ts';
import type { ArtifactFault } from '../problem.ts';
import type { Definition } from '../definition/definition.ts';
import { matchesGlob } from '../definition/glob.ts';
import type { Artifact } from '../guard.ts';
import { settings } from '../settings.ts';

/** A file as evidence. It has its content if that is small enough to be kept. */
export interface ReadArtifact {
  readonly artifact: Artifact;
  readonly bytes: Buffer | undefined;
  /** True if it has several hard links. Then it is neither kept nor shown: another link may be a secret file. */
  readonly isHardLinked: boolean;
}

/**
 * Reads a file as evidence, or returns why it cannot be evidence. It opens the file once, without blocking and without
 * following a link out of the project. Type, size, digest and content belong to the opened file, even if its path changes
 * later.
 */
export async function readArtifact(
  context: Context,
  { tree, definition }: { readonly tree: string; readonly definition: Definition },
  path: string,
): Promise<ReadArtifact | ArtifactFault> {
  const { maxArtifactBytes, keepBytes } = settings.of(context).gate;
  const opened = await openInside(tree, path);
  if (typeof opened === 'string') return opened;
  const { handle, name } = opened;
  try {
    if (await isOurs(context, tree, opened)) return 'ours';
    const { size: expected, nlink } = await handle.stat();
    if (expected > maxArtifactBytes) return 'too_large';
    const content = await readAll(handle, maxArtifactBytes, keepBytes, context.signal);
    if (content === undefined) return 'too_large';
    if (content.size === 0) return 'empty';
    const type = artifactType(definition, name);
    const isHardLinked = nlink > 1;
    return {
      artifact: { path: name, version: 0, type, digest: content.digest, size: content.size },
      bytes: isHardLinked ? undefined : content.bytes,
      isHardLinked,
    };
  } catch {
    // The caller has gone; the error says nothing about the file.
    context.signal.throwIfAborted();
    return 'unreadable';
  } finally {
    await handle.close();
  }
}

const chunkBytes = 1 << 20;

/** Reads the whole file; undefined if it has more than `limit` bytes, even if it only grew while being read. */
async function readAll(handle: FileHandle, limit: number, kept: number, signal: AbortSignal) {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) break;
    size += bytesRead;
    if (size > limit) return undefined;
    hash.update(chunk.subarray(0, bytesRead));
    if (size <= kept) chunks.push(chunk.subarray(0, bytesRead));
  }
  return { size, digest: hash.digest('hex'), bytes: size <= kept ? Buffer.concat(chunks) : undefined };
}

interface Opened {
  readonly handle: FileHandle;
  readonly absolute: string;
  readonly name: string;
}

/** O_NOFOLLOW_ANY of macOS: no component of the path may be a link. Other systems have no such flag. */
const noLinksAtAll = process.platform === 'darwin' ? 0x20000000 : 0;
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | noLinksAtAll;
const attempts = 3;

/** Opens a file inside of the project. It resolves links first, then checks by the handle that no new link led elsewhere. */
async function openInside(root: string, path: string): Promise<Opened | ArtifactFault> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const inside = await confine(root, path);
    if (typeof inside === 'string') return inside;
    let handle: FileHandle;
    try {
      handle = await open(inside.absolute, flags);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ELOOP' || code === 'ENOENT' || code === 'ENOTDIR') continue;
      return 'unreadable';
    }
    try {
      const info = await handle.stat();
      if (info.isFile() && (await pathOfHandle(handle, inside.absolute)) === inside.absolute)
        return { handle, absolute: inside.absolute, name: inside.relative };
    } catch {
      // The file is gone: try again, as for a path that changed.
    }
    await handle.close();
  }
  return 'unreadable';
}

/** Returns the real path of the opened file. Linux tells it; on macOS the open flags already exclude links. */
async function pathOfHandle(handle: FileHandle, otherwise: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : otherwise;
}

/** Tells whether the file is one of Sekisho's own, which cannot be evidence. */
async function isOurs({ project, database }: Context, tree: string, { absolute, name }: Opened): Promise<boolean> {
  if (name === '.sekisho' || name.startsWith('.sekisho/')) return true;
  for (const given of [project.home, project.state]) {
    const folder = await realpath(given).catch(() => given);
    // Worktrees that Sekisho made for agents may be inside this folder; their files are the agent's.
    if (!isWithin(await realpath(tree), folder) && isWithin(absolute, folder)) return true;
  }
  // The prefix also covers SQLite's log and index files.
  return !database.includes('://') && absolute.startsWith(await realpath(database).catch(() => database));
}

export interface InsideFile {
  readonly absolute: string;
  readonly relative: string;
  readonly size: number;
}

export async function confine(root: string, path: string): Promise<InsideFile | ArtifactFault> {
  if (path.includes('\0') || path.length > 4096) return 'missing';
  let realRoot: string;
  let absolute: string;
  try {
    realRoot = await realpath(root);
    absolute = await realpath(resolve(root, path));
  } catch {
    // Return "outside" even if no such file exists: callers must not learn which files exist outside of the project.
    return !isWithin(resolve(root, path), resolve(root)) ? 'outside' : 'missing';
  }
  if (!isWithin(absolute, realRoot)) return 'outside';
  try {
    const info = await stat(absolute);
    if (!info.isFile()) return 'not_a_file';
    return { absolute, relative: relative(realRoot, absolute).split(sep).join('/'), size: info.size };
  } catch {
    return 'missing'; // The file was removed after its path was resolved.
  }
}

/** Returns the type of a path: by a glob, else if the base name is the type or has it as a prefix or suffix. */
export function artifactType(definition: Definition, path: string): string | undefined {
  const byGlob = definition.artifacts.find(
    (one) => one.path !== undefined && matchesGlob(one.path.replace(/^\.\//, ''), path),
  );
  if (byGlob !== undefined) return byGlob.type;
  const base = posix.basename(path, posix.extname(path)).toLowerCase();
  const fits = (type: string) =>
    base === type || ['_', '-'].some((mark) => base.startsWith(type + mark) || base.endsWith(mark + type));
  const candidates = definition.artifacts.filter((one) => one.path === undefined && fits(one.type.toLowerCase()));
  // The longest type wins: `experiment_plan.md` is an experiment_plan, even if there is a type plan.
  return candidates.toSorted((a, b) => b.type.length - a.type.length)[0]?.type;
}
