import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ArtifactFault } from '../problem.ts';
import type { Definition } from '../definition/definition.ts';
import { matchesGlob } from '../definition/glob.ts';
import type { Artifact } from '../guard.ts';

/** The file as evidence, or why it is none. The path is confined to the project after every link is resolved. */
export async function readArtifact(
  root: string,
  path: string,
  definition: Definition,
  signal: AbortSignal,
): Promise<Artifact | ArtifactFault> {
  const inside = await confine(root, path);
  if (typeof inside === 'string') return inside;
  try {
    const hash = createHash('sha256');
    await pipeline(createReadStream(inside.absolute), hash, { signal });
    return {
      path: inside.relative,
      version: 0,
      type: artifactType(definition, inside.relative),
      digest: hash.digest('hex'),
      size: inside.size,
    };
  } catch {
    // Whoever asked has gone: that says nothing about the file.
    signal.throwIfAborted();
    return 'unreadable';
  }
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
    // Say "outside" even where nothing is there: existence outside the project is none of the caller's business.
    return isOutside(relative(root, resolve(root, path))) ? 'outside' : 'missing';
  }
  const within = relative(realRoot, absolute);
  if (isOutside(within)) return 'outside';
  try {
    const info = await stat(absolute);
    if (!info.isFile()) return 'not_a_file';
    return { absolute, relative: within.split(sep).join('/'), size: info.size };
  } catch {
    return 'missing'; // Removed since its path was resolved.
  }
}

/** `..foo.md` is a file name like any other. */
function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

/** The definition's glob decides; else the base name is the type, or has it as a `_` or `-` separated prefix or suffix. */
export function artifactType(definition: Definition, path: string): string | undefined {
  const byGlob = definition.artifacts.find(
    (one) => one.path !== undefined && matchesGlob(one.path.replace(/^\.\//, ''), path),
  );
  if (byGlob !== undefined) return byGlob.type;
  const base = posix.basename(path, posix.extname(path)).toLowerCase();
  const fits = (type: string) =>
    base === type || ['_', '-'].some((mark) => base.startsWith(type + mark) || base.endsWith(mark + type));
  const candidates = definition.artifacts.filter((one) => one.path === undefined && fits(one.type.toLowerCase()));
  // `experiment_plan.md` is an experiment_plan, even where there is a plan too.
  return candidates.toSorted((a, b) => b.type.length - a.type.length)[0]?.type;
}
