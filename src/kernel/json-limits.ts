/** The deepest nesting from outside. People write under 20 levels; SQLite reads 1,000; a stack ends at thousands. */
export const maxDepth = 200;

export function isTooDeep(value: unknown, left: number = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) return value.some((one) => isTooDeep(one, left - 1));
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], left - 1)) return true;
  return false;
}

/** The nesting at which a text is not parsed: above `maxDepth`, and far below the depth at which a parser runs out of stack. */
const unreadableDepth = 500;

/** Whether a text nests too deeply to be parsed: a parser that runs out of stack can crash the whole process. */
export function isTextTooDeep(text: string): boolean {
  let brackets = 0;
  let items = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '[' || letter === '{') brackets += 1;
    else if (letter === ']' || letter === '}') brackets = Math.max(0, brackets - 1);
    if (letter === '-' || letter === '?') items += 1;
    else if (letter !== ' ') items = 0;
    if (brackets > unreadableDepth || items > unreadableDepth) return true;
  }
  return false;
}

/** A fault that keeps a text out of a database: no database stores NUL or a lone surrogate as it is. */
export type TextFault = 'nul' | 'surrogate';

export function textFault(text: string): TextFault | undefined {
  if (text.includes('\0')) return 'nul';
  return text.isWellFormed() ? undefined : 'surrogate';
}

export interface InvalidText {
  readonly path: readonly string[];
  readonly fault: TextFault | 'depth';
}

/** Finds the first part of a value that cannot be stored. Keys are checked too. */
export function findInvalidText(value: unknown, path: readonly string[] = []): InvalidText | undefined {
  if (typeof value === 'string') {
    const fault = textFault(value);
    return fault && { path, fault };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length >= maxDepth) return { path: path.slice(0, 3), fault: 'depth' };
  for (const [key, one] of Object.entries(value)) {
    const fault = textFault(key);
    const found = fault === undefined ? findInvalidText(one, [...path, key]) : { path, fault };
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Estimates the size of a value as JSON without serializing it. Strings make up most of a large answer. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return value.length < 256 ? value.length + 2 : Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let bytes = 2;
  if (Array.isArray(value)) for (const one of value) bytes += estimateBytes(one) + 1;
  else for (const key in value) bytes += key.length + 4 + estimateBytes((value as Record<string, unknown>)[key]);
  return bytes;
}
