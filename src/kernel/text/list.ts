/** Items of an English sentence. */
export function listEnglish(items: readonly string[]): string {
  return items.join(', ') || 'none';
}

/** Items of a Japanese sentence. */
export function listJapanese(items: readonly string[]): string {
  return items.join(', ') || 'なし';
}

/** The first paths of a long list. */
export function listFirstPaths(paths: readonly string[]): string {
  return [...paths.slice(0, 5), ...(paths.length > 5 ? ['…'] : [])].join(', ');
}

/** Ends a text of another program with a full stop, where it has none. */
export function endSentence(text: string, stop: string): string {
  return /[.。]$/.test(text) ? text : text + stop;
}

/** Addresses of projects on a daemon, for a sentence that asks for one. */
export function projectAddress(root: string): string {
  return `/mcp?project=${encodeURIComponent(root).replaceAll('%2F', '/')}`;
}
