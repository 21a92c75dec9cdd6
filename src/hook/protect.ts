import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isOpenTool } from '../gate/light.ts';
import type { ToolUse } from '../fleet/agent-hook.ts';
import { isPlain } from '../kernel/plain.ts';
import { namesProtected, onlyReads } from './shell.ts';

/** Where things are, for a decision about paths. */
export interface Place {
  /** The project's `.sekisho/`. */
  readonly home: string;
  /** The user's own state, outside of every project. */
  readonly state: string;
  readonly cwd: string;
}

const writers = ['Write', 'Edit', 'NotebookEdit'];
const readers = ['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch'];

/**
 * What of Sekisho's own files this call would change; undefined where nothing can be seen. Agents may not: the processes,
 * the configuration and the store are what they are held to.
 *
 * It sees what is written in the call. It cannot see a path that a program puts together itself (a script, a variable,
 * an encoding), a hard link, or a command that sweeps a whole tree (`git clean -fdx`, `rm -rf *` above it). Another
 * operating-system user is what makes it hard; SECURITY.md says how.
 */
export function touchedFile(tool: ToolUse, place: Place): string | undefined {
  if (tool.names.includes('Bash')) return touchedByShell(tool, place);
  const writes = tool.names.some((name) => writers.includes(name));
  if (!writes && (isOpenTool(tool.names) || tool.names.some((name) => readers.includes(name)) || readsByName(tool)))
    return undefined;
  const paths = [...pathsIn(tool.input, 0, false), ...patchedPaths(tool)];
  return paths.find((path) => isProtected(path, place));
}

/** An MCP tool of another server, by the verb that its name begins with. */
function readsByName(tool: ToolUse): boolean {
  return tool.names.some((name) => /^(read|get|list|search|find|stat|view|fetch|query|describe)(_|-|$)/i.test(name));
}

function touchedByShell(tool: ToolUse, place: Place): string | undefined {
  const { command, folder } = commandOf(tool);
  const cwd = folder === undefined ? place.cwd : resolve(place.cwd, folder);
  const named = isProtected(cwd, place) ? cwd : (namesProtected(command, basename(place.home)) ?? namesState(command));
  return named === undefined || onlyReads(command) ? undefined : named;
}

/** `~/.local/share/sekisho/state`: what stands before may be a variable. */
export function namesState(command: string): string | undefined {
  return /[^\s'"]*\bsekisho[\\/]+state\b[^\s'"]*/i.exec(command)?.[0];
}

/** `["bash", "-lc", "…"]` is the command line that it runs. */
export function commandOf(tool: ToolUse): { command: string; folder: string | undefined } {
  const { input } = tool;
  const given = input['command'] ?? input['cmd'] ?? input['script'] ?? input['code'] ?? input['input'] ?? input['text'];
  const words = Array.isArray(given) ? given.map(String) : undefined;
  const command =
    words === undefined
      ? typeof given === 'string'
        ? given
        : JSON.stringify(input)
      : words.length === 3 && /^-\w*c$/.test(words[1] ?? '')
        ? (words[2] ?? '')
        : words.join(' ');
  const folder =
    input['workdir'] ?? input['working_directory'] ?? input['dir_path'] ?? input['directory'] ?? input['cwd'];
  return { command, folder: typeof folder === 'string' && folder !== '' ? folder : undefined };
}

const pathKey = /path|file|notebook|ur[il]|folder|dir(ectory)?$|destination|target|source|^to$|^from$/i;

/** `file_text` is what goes into the file. */
const textKey = /text|content/i;

/** Strings under keys that speak of files, at any depth. */
export function pathsIn(value: unknown, depth: number, underKey: boolean): readonly string[] {
  if (depth > 6) return [];
  if (typeof value === 'string') return underKey && value.length < 4096 ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => pathsIn(one, depth + 1, underKey));
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    pathsIn(one, depth + 1, pathKey.test(key) && !textKey.test(key)),
  );
}

/** The files that a patch names in its text. */
function patchedPaths(tool: ToolUse): readonly string[] {
  if (!tool.names.some((name) => /apply_?patch/i.test(name))) return [];
  const text = Object.values(tool.input)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'string')
    .join('\n');
  const marks = text.matchAll(
    /^\s*(?:\*\*\* (?:Add|Update|Delete) File:|\*\*\* Move to:|\+\+\+|---) *(?:[ab]\/)?(.+?)\s*$/gm,
  );
  return [...marks].flatMap((match) => match[1] ?? []);
}

/** In a folder named `.sekisho`, as written or after every link, or in the user's state. */
export function isProtected(path: string, place: Place): boolean {
  const plain = path.replace(/^file:\/\//, '');
  if (plain.includes('\0')) return true;
  const absolute = resolve(place.cwd, plain);
  const real = realPath(absolute);
  const state = realPath(place.state);
  return [absolute, real].some((one) => hasOurFolder(one) || one === state || one.startsWith(state + sep));
}

/** Case is ignored: some file systems do. */
function hasOurFolder(path: string): boolean {
  return path.toLowerCase().split(/[\\/]/).includes('.sekisho');
}

/** Links resolved as far as the path exists; the rest is what would be made. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(realpathSync(existing), ...missing);
    } catch {
      if (existing === dirname(existing)) return path;
      missing.unshift(basename(existing));
    }
  }
}
