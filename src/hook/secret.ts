import { basename, dirname, resolve, sep } from 'node:path';
import { matchName } from '../gate/light.ts';
import type { ToolUse } from '../fleet/agent-hook.ts';
import type { Place } from './protect.ts';
import { commandOf, isProtected, namesState, pathsIn, realPath } from './protect.ts';
import { namesFolder, namesProtected, simpleCommands, wordsOf } from './shell.ts';

/** Tokens, where the daemon is, and the database: with them a shell could speak to the daemon as a person. */
const secretName = /\.token$|^daemon\.json$|\.(?:db|sqlite3?)(?:-\w+)?$/i;
/** What a wildcard may hit. */
const secrets = [
  'human.token',
  'agent.token',
  'daemon.json',
  'user.db',
  'sekisho.db',
  'sekisho.db-wal',
  'sekisho.db-shm',
];

/**
 * Which of Sekisho's secrets this call would read; undefined where none can be seen. The rest of the folder is open to
 * readers. As with changes, a search that sweeps a tree above the folder, or a path that a program makes up, is not seen.
 */
export function secretFile(tool: ToolUse, place: Place): string | undefined {
  if (tool.names.includes('Bash')) return secretInShell(tool, place);
  const named = pathsIn(tool.input, 0, false).map((path) => path.replace(/^file:\/\//, ''));
  const folders = named.length === 0 ? ['.'] : named;
  const patterns = patternsIn(tool);
  const spread = patterns.flatMap((pattern) => folders.map((folder) => resolve(place.cwd, folder, pattern)));
  const found = [...named, ...spread].find((path) => isSecret(path, place));
  if (found !== undefined || tool.names.some((name) => name === 'Glob' || name === 'LS')) return found;
  return (
    [...named, ...spread].find((path) => isOurs(path, place) && couldBeSecret(path)) ??
    patterns.find((pattern) => isAnywhere(pattern) && folders.some((folder) => isAbove(folder, place))) ??
    (readsFolders(tool) && patterns.length === 0 ? folders.find((folder) => isFolder(folder, place)) : undefined)
  );
}

function readsFolders(tool: ToolUse): boolean {
  return tool.names.some((name) => name === 'Grep' || name === 'read_many_files');
}

/** Which files to look at, where a client says so by a pattern. A search's own `pattern` is none. */
function patternsIn(tool: ToolUse): readonly string[] {
  const keys = tool.names.includes('Glob') ? ['pattern', 'glob_pattern'] : ['glob', 'include', 'include_pattern'];
  return keys
    .flatMap((key) => tool.input[key])
    .filter((value) => typeof value === 'string' && value !== '') as string[];
}

/** By the name that is written, and by the one behind every link. */
function isSecret(path: string, place: Place): boolean {
  const absolute = resolve(place.cwd, path);
  return [absolute, realPath(absolute)].some((one) => secretName.test(basename(one)) && isOurs(one, place));
}

function isOurs(path: string, place: Place): boolean {
  return isProtected(path, place) || namesFolder(path, basename(place.home));
}

function couldBeSecret(path: string): boolean {
  const pattern = basename(path)
    .toLowerCase()
    .replaceAll(/\[[^\]]*\]|\{[^}]*\}/g, '*');
  return /[*?]/.test(pattern) && secrets.some((name) => matchName(pattern.replaceAll(/\*+/g, '*'), name));
}

/** `*.token` without a folder means one at any depth. */
function isAnywhere(pattern: string): boolean {
  return secretName.test(basename(pattern)) && (pattern.includes('**') || !pattern.includes('/'));
}

function isAbove(folder: string, place: Place): boolean {
  return [place.home, place.state].some((one) => realPath(one).startsWith(realPath(resolve(place.cwd, folder)) + sep));
}

function isFolder(path: string, place: Place): boolean {
  const absolute = resolve(place.cwd, path);
  return isOurs(absolute, place) && !isOurs(dirname(absolute), place);
}

function secretInShell(tool: ToolUse, place: Place): string | undefined {
  const { command, folder } = commandOf(tool);
  const cwd = folder === undefined ? place.cwd : resolve(place.cwd, folder);
  const here = { ...place, cwd };
  const inside = isProtected(cwd, place);
  const named = inside || (namesProtected(command, basename(place.home)) ?? namesState(command)) !== undefined;
  // After `cd .sekisho` a bare name is enough.
  const moved = inside || (named && /\b(?:cd|pushd)\b/.test(command));
  const words = wordsOf(command).filter((word) => word !== '');
  return (
    words.find((word) => secretName.test(basename(word)) && (named || isSecret(word, here))) ??
    words.find((word) => couldBeSecret(word) && (moved || isOurs(resolve(cwd, word), here))) ??
    (named ? simpleCommands(command).find((one) => sweeps(one, here, moved)) : undefined)
  );
}

/** A search through the whole folder prints what is in the secrets too. */
function sweeps(simple: string, place: Place, moved: boolean): boolean {
  const [program = '', ...words] = wordsOf(simple).filter((word) => word !== '');
  const recursive = words.some((word) => /^-\w*[rR]|^--(?:dereference-)?recursive|^recurse$/.test(word));
  if (!(program === 'rg' || (/^(?:[ef]?grep|diff)$/.test(program) && recursive))) return false;
  return moved || words.some((word) => isFolder(word, place));
}
