/** A list within an English sentence. */
export function listEnglish(items: readonly string[]): string {
  return items.join(', ') || 'none';
}

/** A list within a Japanese sentence. */
export function listJapanese(items: readonly string[]): string {
  return items.join(', ') || 'なし';
}

/** The first paths of a long list. */
export function listFirstPaths(paths: readonly string[]): string {
  return [...paths.slice(0, 5), ...(paths.length > 5 ? ['…'] : [])].join(', ');
}

/** Adds a full stop to another program's text if it has none. */
export function endSentence(text: string, stop: string): string {
  return /[.。]$/.test(text) ? text : text + stop;
}

/** The address of a project on a daemon. */
export function projectAddress(root: string): string {
  return `/mcp?project=${encodeURIComponent(root).replaceAll('%2F', '/')}`;
}
