import { relative, sep } from 'node:path';
import { isWithin } from '../base/path.ts';
import type { ToolUse } from '../fleet/agent-hook.ts';
import type { Call } from '../gate/hook-api.ts';
import { realPath } from './real-path.ts';
import { editNames, visiblePaths } from './visible-paths.ts';

/** Returns the parts of a call that rules match: its tool, the files that it names, and its shell line. */
export function callOf(tool: ToolUse, place: { readonly cwd: string; readonly trees: readonly string[] }): Call {
  const { names } = tool;
  const command = commandOf(tool);
  // A shell call that only applies a patch is matched by its files. Any other one must be permitted as a shell call.
  if (names.includes('Bash') && (tool.input['patch'] === undefined || command !== undefined))
    return { names, permitting: names.filter((name) => !editNames.includes(name)), command };
  const trees = place.trees.map((tree) => realPath(tree));
  return { names, paths: visiblePaths(tool, place.cwd).map((path) => pathIn(trees, realPath(path))) };
}

/** Returns the path relative to the innermost of these trees that contains it; absolute if none does. */
function pathIn(trees: readonly string[], path: string): string {
  const around = trees.filter((tree) => isWithin(path, tree));
  const [tree] = around.toSorted((a, b) => b.length - a.length);
  return tree === undefined ? path : relative(tree, path).split(sep).join('/');
}

const lineKeys = ['command', 'cmd', 'script', 'code', 'input', 'text'];

/** Returns the shell line of a call. Several candidates are joined, so that no rule permits them. */
function commandOf({ input }: ToolUse): string | undefined {
  const lines = lineKeys.flatMap((key) => lineOf(input[key]) ?? []);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Returns one argument as a line. The line of `["bash", "-lc", "…"]` is its last element. */
function lineOf(given: unknown): string | undefined {
  if (!Array.isArray(given)) return typeof given === 'string' ? given : undefined;
  const words = given.map(String);
  return words.length === 3 && /^-\w*c$/.test(words[1] ?? '') ? words[2] : words.join(' ');
}
