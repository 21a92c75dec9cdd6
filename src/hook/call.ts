import { relative, resolve, sep } from 'node:path';
import type { ToolUse } from '../fleet/agent-hook.ts';
import type { Call } from '../gate/light.ts';
import { commandOf, pathsIn, realPath } from './protect.ts';

/** What a rule may ask of a call: its tool, the files that it names, the line that a shell would run. */
export function callOf(tool: ToolUse, place: { readonly cwd: string; readonly root: string }): Call {
  const { names } = tool;
  if (names.includes('Bash')) return { names, command: commandOf(tool).command };
  const root = realPath(place.root);
  const named = [...new Set([...pathsIn(tool.input, 0, false), ...patchedFiles(tool)])];
  return {
    names,
    paths: named.map((path) => {
      const real = realPath(resolve(place.cwd, path.replace(/^file:\/\//, '')));
      const within = relative(root, real);
      return within === '..' || within.startsWith(`..${sep}`) ? real : within.split(sep).join('/');
    }),
  };
}

const heads = ['*** Add File:', '*** Update File:', '*** Delete File:', '*** Move to:', '+++ ', '--- '];

/** The files that a patch names, line by line: each is looked at once, however long it is. */
function patchedFiles({ names, input }: ToolUse): readonly string[] {
  if (!names.some((name) => /apply_?patch/i.test(name))) return [];
  const texts = Object.values(input).flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : [value]));
  return texts.flatMap((text) => (typeof text === 'string' ? text.split('\n').flatMap(fileOf) : []));
}

function fileOf(line: string): readonly string[] {
  const bare = line.trim();
  const head = heads.find((one) => bare.startsWith(one));
  if (head === undefined) return [];
  const path = bare.slice(head.length).trim();
  // `git diff` marks the two sides, and names nothing where a file is new.
  if (!head.startsWith('*') && path === '/dev/null') return [];
  return [head.startsWith('*') ? path : path.replace(/^[ab]\//, '')];
}
