import type { JsonObject } from '../../base/json-object.ts';

export interface ShellPatch {
  /** The patch if the call does nothing else; undefined if the shell would run more. */
  readonly text: string | undefined;
  readonly folder: string | undefined;
}

const begin = '*** Begin Patch';
const program = /(?:^|&&|[;|])\s*apply_?patch(?:\s|$)/;
const plainWord = /^[\w./-]+$/;

/**
 * Finds the patch in a shell call: `apply_patch <<'EOF' … EOF`, optionally after `cd folder &&`, or the program with
 * the patch as its argument. The quotes are required: without them the shell would expand the patch's content. Each
 * line is read once.
 */
export function shellPatch(input: JsonObject): ShellPatch | undefined {
  const given = input['command'] ?? input['cmd'];
  const words = Array.isArray(given) ? given.map(String) : [];
  const folder = [input['workdir'], input['cwd']].find((one) => typeof one === 'string');
  if (words.length === 2 && isProgram(words[0])) return { text: words[1], folder };
  const line = typeof given === 'string' ? given : words.length === 3 ? words[2] : undefined;
  if (line?.includes(begin) !== true) return undefined;
  const lines = line.trim().split('\n');
  return lines.some((one) => program.test(one))
    ? (wholePatch(lines, folder) ?? { text: undefined, folder })
    : undefined;
}

function wholePatch([head = '', ...body]: readonly string[], folder: string | undefined): ShellPatch | undefined {
  const parts = head.split(' ').filter((one) => one !== '');
  const moved = parts[0] === 'cd' && parts[2] === '&&' ? parts[1] : undefined;
  const [word, here = '', ...rest] = moved === undefined ? parts : parts.slice(3);
  const end = /^<<(['"])(\w+)\1$/.exec(here)?.[2];
  if (!isProgram(word) || rest.length > 0 || end === undefined) return undefined;
  // The shell would run lines after the end.
  if (body.indexOf(end) !== body.length - 1) return undefined;
  if (moved !== undefined && !plainWord.test(moved)) return undefined;
  const at = [folder, moved].filter((one) => one !== undefined);
  return {
    text: body.slice(0, -1).join('\n'),
    folder: moved?.startsWith('/') === true ? moved : at.join('/') || undefined,
  };
}

function isProgram(word: string | undefined): boolean {
  return word === 'apply_patch' || word === 'applypatch';
}
