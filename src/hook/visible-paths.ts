import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { ToolUse } from '../fleet/agent-hook.ts';
import { isJsonObject } from '../base/json-object.ts';
import { realPath } from './real-path.ts';

/** Canonical names of the tools whose call shows which files it writes. */
const writers = ['Write', 'Edit', 'NotebookEdit'];

const patchers = ['apply_patch', 'ApplyPatch'];

/** Names by which a rule means an edit. */
export const editNames: readonly string[] = [...writers, ...patchers];

export function isFileWriter({ names }: ToolUse): boolean {
  return names.some((name) => writers.includes(name));
}

/** The files that a call of a file tool names, from `cwd`, as they are written. */
export function visiblePaths(tool: ToolUse, cwd: string): readonly string[] {
  const patched = patchTexts(tool).flatMap((text) => text.split('\n').flatMap(patchedFile));
  const folder = tool.input['workdir'];
  const from = typeof folder === 'string' ? resolve(cwd, folder) : cwd;
  const named = pathsIn(tool.input, 0, false).flatMap((path) => [path.replace(/^file:\/\//, ''), ...pathsOfUri(path)]);
  return [...new Set([...named.flatMap((path) => readings(path, cwd)), ...patched.map((path) => resolve(from, path))])];
}

/** VS Code takes a URI for a path, of whatever scheme, with escapes, a query and a fragment. */
function pathsOfUri(text: string): readonly string[] {
  const path = /^\s*[a-z][\w+.-]+:(?:\/\/[^/]*)?(\/[^?#]*)/i.exec(text)?.[1];
  if (path === undefined) return [];
  try {
    return [path, decodeURIComponent(path)];
  } catch {
    return [path]; // A stray percent sign, which is one.
  }
}

/** Every file that a client may take a spelling for: as text, without spaces around it, below the home, and as the kernel goes. */
function readings(path: string, cwd: string): readonly string[] {
  const bare = path.trim();
  const written = [
    path,
    ...(bare === path ? [] : [bare]),
    ...(/^~(?=\/|$)/.test(bare) ? [homedir() + bare.slice(1)] : []),
  ];
  return written.flatMap((one) => [resolve(cwd, one), ...(one.includes('..') ? [throughLinks(one, cwd)] : [])]);
}

/** `link/..` is the folder above where the link leads, not the one that the link lies in. */
function throughLinks(path: string, cwd: string): string {
  let at = isAbsolute(path) ? sep : cwd;
  for (const part of path.split(sep)) at = part === '..' ? dirname(realPath(at)) : join(at, part);
  return at;
}

/** What clients call a file, in any case and with any underscores. */
const pathKeys = new Set(
  (
    'path paths file files filename filenames filepath filepaths absolutepath targetfile targetpath target ' +
    'notebook notebookpath targetnotebook newpath oldpath destination uri directory dirpath folder workdir workingdirectory'
  ).split(' '),
);

/** Strings under keys that name files. Nothing lies deeper than this in any client's call. */
const deepest = 6;

function pathsIn(value: unknown, depth: number, underKey: boolean): readonly string[] {
  if (depth > deepest) return [];
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

/** Line by line, each looked at once: a patch may be long. */
function patchedFile(line: string): readonly string[] {
  const bare = line.trim();
  const head = heads.find((one) => bare.startsWith(one));
  if (head === undefined) return [];
  const path = bare.slice(head.length).trim();
  // `git diff` marks the two sides, and names nothing where a file is new.
  if (head.startsWith('*')) return [path];
  return path === '/dev/null' ? [] : [path.replace(/^[ab]\//, '')];
}
