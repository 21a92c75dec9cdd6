import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { ToolUse } from '../fleet/agent-hook.ts';
import { isJsonObject } from '../base/json-object.ts';
import { realPath } from './real-path.ts';

/** Canonical names of the tools whose calls show which files they write. */
const writers = ['Write', 'Edit', 'NotebookEdit'];

const patchers = ['apply_patch', 'ApplyPatch'];

/** Tool names by which a rule means an edit. */
export const editNames: readonly string[] = [...writers, ...patchers];

export function isFileWriter({ names }: ToolUse): boolean {
  return names.some((name) => writers.includes(name));
}

/** Lists the files that a call of a file tool names, resolved from `cwd`, links not resolved. */
export function visiblePaths(tool: ToolUse, cwd: string): readonly string[] {
  const patched = patchTexts(tool).flatMap((text) => text.split('\n').flatMap(patchedFile));
  const folder = tool.input['workdir'];
  const from = typeof folder === 'string' ? resolve(cwd, folder) : cwd;
  const named = pathsIn(tool.input, 0, false).flatMap((path) => [path.replace(/^file:\/\//, ''), ...pathsOfUri(path)]);
  return [
    ...new Set([...named.flatMap((path) => possiblePaths(path, cwd)), ...patched.map((path) => resolve(from, path))]),
  ];
}

/** Reads a path from a URI. VS Code accepts any scheme, with escapes, a query and a fragment. */
function pathsOfUri(text: string): readonly string[] {
  const path = /^\s*[a-z][\w+.-]+:(?:\/\/[^/]*)?(\/[^?#]*)/i.exec(text)?.[1];
  if (path === undefined) return [];
  try {
    return [path, decodeURIComponent(path)];
  } catch {
    return [path]; // A stray percent sign is a literal one.
  }
}

/** Lists every file that a client may mean by a path: trimmed, below the home folder, and as the kernel resolves it. */
function possiblePaths(path: string, cwd: string): readonly string[] {
  const bare = path.trim();
  const written = [
    path,
    ...(bare === path ? [] : [bare]),
    ...(/^~(?=\/|$)/.test(bare) ? [homedir() + bare.slice(1)] : []),
  ];
  return written.flatMap((one) => [resolve(cwd, one), ...(one.includes('..') ? [throughLinks(one, cwd)] : [])]);
}

/** Resolves `link/..` like the kernel: to the parent of the link's target, not the link's own folder. */
function throughLinks(path: string, cwd: string): string {
  let at = isAbsolute(path) ? sep : cwd;
  for (const part of path.split(sep)) at = part === '..' ? dirname(realPath(at)) : join(at, part);
  return at;
}

/** Argument names that clients use for files, ignoring case and underscores. */
const pathKeys = new Set(
  (
    'path paths file files filename filenames filepath filepaths absolutepath targetfile targetpath target ' +
    'notebook notebookpath targetnotebook newpath oldpath destination uri directory dirpath folder workdir workingdirectory'
  ).split(' '),
);

/** The nesting depth to which strings under path keys are collected. No client's call is deeper. */
const maxDepth = 6;

function pathsIn(value: unknown, depth: number, underKey: boolean): readonly string[] {
  if (depth > maxDepth) return [];
  if (typeof value === 'string') return underKey ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => pathsIn(one, depth + 1, underKey));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    pathsIn(one, depth + 1, key.length < 40 && pathKeys.has(key.toLowerCase().replaceAll('_', ''))),
  );
}

function patchTexts({ names, input }: ToolUse): readonly string[] {
  if (!names.some((name) => patchers.includes(name))) return [];
  return Object.values(input)
    .flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'string');
}

const heads = ['*** Add File:', '*** Update File:', '*** Delete File:', '*** Move to:', '+++ ', '--- '];

/** Returns the files that a line of a patch names. It scans each line once, since a patch may be long. */
function patchedFile(line: string): readonly string[] {
  const bare = line.trim();
  const head = heads.find((one) => bare.startsWith(one));
  if (head === undefined) return [];
  const path = bare.slice(head.length).trim();
  // `git diff` prefixes the two sides with a/ and b/, and has /dev/null for a new file.
  if (head.startsWith('*')) return [path];
  return path === '/dev/null' ? [] : [path.replace(/^[ab]\//, '')];
}
