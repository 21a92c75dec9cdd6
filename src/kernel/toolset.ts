/** The words of the product: folder, `--toolsets` value, HTTP path, command-line noun, docs page. */
export const toolsets = ['gate', 'upstream', 'fleet', 'work', 'phase', 'admin'] as const;

export type Toolset = (typeof toolsets)[number];

export function isToolset(word: string): word is Toolset {
  return (toolsets as readonly string[]).includes(word);
}
