import { relative, sep } from 'node:path';
import type { ToolUse } from '../fleet/agent-hook.ts';
import type { Call } from '../gate/hook-api.ts';
import { realPath } from './real-path.ts';
import { editNames, visiblePaths } from './visible-paths.ts';

/** What a rule may ask of a call: its tool, the files that it names, the line that a shell would run. */
export function callOf(tool: ToolUse, place: { readonly cwd: string; readonly trees: readonly string[] }): Call {
  const { names } = tool;
  const command = commandOf(tool);
  // A shell call that is a patch and nothing else shows files, not a line. One that is more must be permitted as a shell's.
  if (names.includes('Bash') && (tool.input['patch'] === undefined || command !== undefined))
    return { names, permitting: names.filter((name) => !editNames.includes(name)), command };
  const trees = place.trees.map((tree) => realPath(tree));
  return { names, paths: visiblePaths(tool, place.cwd).map((path) => pathIn(trees, realPath(path))) };
}

/** Below the innermost of these trees that it lies in; whole where it lies in none. */
function pathIn(trees: readonly string[], path: string): string {
  const around = trees.filter((tree) => path === tree || path.startsWith(tree === sep ? sep : tree + sep));
  const [tree] = around.toSorted((a, b) => b.length - a.length);
  return tree === undefined ? path : relative(tree, path).split(sep).join('/');
}

const lineKeys = ['command', 'cmd', 'script', 'code', 'input', 'text'];

/** Which one of several a client would run, only the client knows: together they are no line that a rule permits. */
function commandOf({ input }: ToolUse): string | undefined {
  const lines = lineKeys.flatMap((key) => lineOf(input[key]) ?? []);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** `["bash", "-lc", "…"]` is the command line that it runs. */
function lineOf(given: unknown): string | undefined {
  if (!Array.isArray(given)) return typeof given === 'string' ? given : undefined;
  const words = given.map(String);
  return words.length === 3 && /^-\w*c$/.test(words[1] ?? '') ? words[2] : words.join(' ');
}
