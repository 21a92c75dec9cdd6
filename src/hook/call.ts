import { relative, sep } from 'node:path';
import type { ToolUse } from '../fleet/agent-hook.ts';
import type { Call } from '../gate/light.ts';
import { realPath } from './real-path.ts';
import { visiblePaths } from './visible.ts';

/** What a rule may ask of a call: its tool, the files that it names, the line that a shell would run. */
export function callOf(tool: ToolUse, place: { readonly cwd: string; readonly root: string }): Call {
  const { names } = tool;
  // A shell call that is a patch and nothing else shows files, not a line.
  if (names.includes('Bash') && tool.input['patch'] === undefined) return { names, command: commandOf(tool) };
  const root = realPath(place.root);
  return {
    names,
    paths: visiblePaths(tool, place.cwd).map((path) => {
      const real = realPath(path);
      const within = relative(root, real);
      return within === '..' || within.startsWith(`..${sep}`) ? real : within.split(sep).join('/');
    }),
  };
}

/** `["bash", "-lc", "…"]` is the command line that it runs. */
function commandOf({ input }: ToolUse): string | undefined {
  const given = input['command'] ?? input['cmd'] ?? input['script'] ?? input['code'] ?? input['input'] ?? input['text'];
  if (!Array.isArray(given)) return typeof given === 'string' ? given : undefined;
  const words = given.map(String);
  return words.length === 3 && /^-\w*c$/.test(words[1] ?? '') ? words[2] : words.join(' ');
}
