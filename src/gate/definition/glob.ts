/** Tells whether a relative path matches a glob. `*` and `?` stay within a folder, `**` crosses folders. */
export function matchesGlob(glob: string, path: string): boolean {
  return matchParts(glob.split('/'), path.split('/'), 0, 0, new Map());
}

function matchParts(
  glob: readonly string[],
  path: readonly string[],
  g: number,
  p: number,
  known: Map<number, boolean>,
): boolean {
  if (g === glob.length) return p === path.length;
  const key = g * (path.length + 1) + p;
  const before = known.get(key);
  if (before !== undefined) return before;
  const part = glob[g] ?? '';
  const result =
    part === '**'
      ? matchParts(glob, path, g + 1, p, known) || (p < path.length && matchParts(glob, path, g, p + 1, known))
      : p < path.length && matchName(part, path[p] ?? '') && matchParts(glob, path, g + 1, p + 1, known);
  known.set(key, result);
  return result;
}

/** Matches a name in time linear in pattern and name, so that neither a definition nor a file name can hang the server. */
export function matchName(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
