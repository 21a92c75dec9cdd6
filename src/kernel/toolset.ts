/** The toolsets. Each name is also a folder, a `--toolsets` value, an HTTP path, a command-line noun and a docs page. */
export const toolsets = ['gate', 'upstream', 'fleet', 'work', 'phase', 'admin'] as const;

export type Toolset = (typeof toolsets)[number];

export function isToolset(word: string): word is Toolset {
  return (toolsets as readonly string[]).includes(word);
}
