import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Rewrites a folder's `.gitignore` as rules of the top folder, which git reads with `--exclude-from`. */
export function flattenRules(folder: string, text: string): readonly string[] {
  return text.split('\n').flatMap((raw) => {
    const line = trimLine(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
    if (line === '' || line.startsWith('#')) return [];
    const negated = line.startsWith('!');
    const body = negated ? line.slice(1) : line;
    const inner = body.startsWith('/') ? body.slice(1) : body;
    if (inner === '') return [];
    const anchored = body.slice(0, -1).includes('/');
    const base = folder === '' ? '/' : `/${folder.replaceAll(/[*?[\\]/g, '\\$&')}/`;
    return [`${negated ? '!' : ''}${base}${anchored ? '' : '**/'}${inner}`];
  });
}

/** Trims trailing spaces that are not escaped with a backslash. */
function trimLine(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}

const maxBytes = 1_000_000;

/** Reads a rule file like git, which does not follow links. Empty if there is none. */
export function readRules(path: string | Buffer): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return ''; // No file, a link, or not readable: git skips it too.
  }
  try {
    const info = fstatSync(file);
    return info.isFile() && info.size <= maxBytes ? readFileSync(file, 'latin1') : '';
  } finally {
    closeSync(file);
  }
}

export type IsIgnored = (path: string, isFolder: boolean) => boolean;

/** Compiles ignore rules for trees without git. Callers must not descend into an ignored folder. */
export function compileIgnoreRules(rules: readonly string[]): IsIgnored {
  const compiled = rules.map((rule) => {
    const negated = rule.startsWith('!');
    const body = rule.slice(negated ? 2 : 1);
    const foldersOnly = body.endsWith('/');
    return { negated, foldersOnly, parts: (foldersOnly ? body.slice(0, -1) : body).split('/').map(compilePart) };
  });
  return (path, isFolder) => {
    const names = path.split('/');
    const last = compiled.findLast(
      (rule) => (isFolder || !rule.foldersOnly) && matchParts(rule.parts, names, 0, 0, new Map()),
    );
    return last !== undefined && !last.negated;
  };
}

/** One element of a pattern: a star, or a character (literal, any, or a class). */
type Token = 'star' | ((char: string) => boolean);
type Part = 'any depth' | readonly Token[];

function compilePart(part: string): Part {
  if (part === '**') return 'any depth';
  const tokens: Token[] = [];
  for (let at = 0; at < part.length; at++) {
    const char = part[at] ?? '';
    if (char === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star');
    } else if (char === '?') tokens.push(() => true);
    else if (char === '[') {
      const found = compileClass(part, at);
      // An unclosed bracket matches nothing, as in git.
      tokens.push(found?.token ?? (() => false));
      at = found?.end ?? part.length;
    } else {
      const literal = char === '\\' ? (part[++at] ?? '\\') : char;
      tokens.push((one) => one === literal);
    }
  }
  return tokens;
}

function compileClass(part: string, start: number): { token: Token; end: number } | undefined {
  let at = start + 1;
  const negated = part[at] === '!' || part[at] === '^';
  if (negated) at++;
  const ranges: [string, string][] = [];
  for (let first = true; at < part.length; first = false) {
    let char = part[at] ?? '';
    if (char === ']' && !first) {
      const token = (one: string) => ranges.some(([from, to]) => from <= one && one <= to) !== negated;
      return { token, end: at };
    }
    if (char === '\\') char = part[++at] ?? '';
    if (part[at + 1] === '-' && part[at + 2] !== undefined && part[at + 2] !== ']') {
      at += 2;
      if (part[at] === '\\') at++;
      ranges.push([char, part[at] ?? '']);
    } else ranges.push([char, char]);
    at++;
  }
  return undefined;
}

function matchParts(
  parts: readonly Part[],
  names: readonly string[],
  p: number,
  n: number,
  known: Map<number, boolean>,
): boolean {
  if (p === parts.length) return n === names.length;
  const key = p * (names.length + 1) + n;
  const before = known.get(key);
  if (before !== undefined) return before;
  const part = parts[p];
  let result: boolean;
  if (part === undefined) result = false;
  else if (part === 'any depth') {
    // A trailing `**` matches the content of the folder, not the folder itself.
    const here = p === parts.length - 1 ? n < names.length : matchParts(parts, names, p + 1, n, known);
    result = here || (n < names.length && matchParts(parts, names, p, n + 1, known));
  } else result = n < names.length && matchPart(part, names[n] ?? '') && matchParts(parts, names, p + 1, n + 1, known);
  known.set(key, result);
  return result;
}

function matchPart(tokens: readonly Token[], name: string): boolean {
  let t = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    const token = tokens[t];
    if (token === 'star') {
      star = t++;
      mark = n;
    } else if (token !== undefined && token(name[n] ?? '')) {
      t++;
      n++;
    } else if (star >= 0) {
      t = star + 1;
      n = ++mark;
    } else return false;
  }
  while (tokens[t] === 'star') t++;
  return t === tokens.length;
}
