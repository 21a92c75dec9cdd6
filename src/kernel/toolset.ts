import type { Words } from './text/text.ts';

/** The toolsets. Each name is also a folder, a `--toolsets` value, an HTTP path, a command-line noun and a docs page. */
export const toolsets = ['gate', 'upstream', 'fleet', 'work', 'phase', 'admin'] as const;

export type Toolset = (typeof toolsets)[number];

export function isToolset(word: string): word is Toolset {
  return (toolsets as readonly string[]).includes(word);
}

/** Says which of some words are no toolsets; undefined where all are. */
export function unknownToolsets(given: readonly string[]): Words | undefined {
  const unknown = given.filter((one) => !isToolset(one)).join(', ');
  if (unknown === '') return undefined;
  return {
    en: `unknown toolset ${unknown}; there are ${toolsets.join(', ')}`,
    ja: `ツールセット ${unknown} はありません (使えるもの: ${toolsets.join(', ')})`,
  };
}
