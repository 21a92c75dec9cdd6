import type { Flags } from '../../config/load.ts';
import type { Invocation, Options } from './command.ts';

/** One upstream without a file, for the commands that serve. Elsewhere these words are flags of operations. */
export const proxyOptions: Options = {
  upstream: { type: 'string' },
  name: { type: 'string' },
  skill: { type: 'string' },
  tools: { type: 'string' },
  'init-script': { type: 'string' },
  'init-tool': { type: 'string' },
  'no-init': { type: 'boolean' },
};

export function withProxy(flags: Flags, options: Invocation['options']): Flags {
  const given: Record<string, string> = {};
  for (const [flag, key] of [
    ['upstream', 'upstream'],
    ['name', 'name'],
    ['skill', 'skill'],
    ['tools', 'tools'],
    ['init-script', 'initScript'],
    ['init-tool', 'initTool'],
    ['no-init', 'noInit'],
  ] as const) {
    const value = options[flag];
    // An empty one is as if it was not there: a compose file passes `--skill=` where nobody set it.
    if (value !== undefined && value !== '') given[key] = String(value);
  }
  return { ...flags, ...given };
}
