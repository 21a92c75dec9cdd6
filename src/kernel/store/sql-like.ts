/** Lower case as `lower()` gives it in both databases: they know only the capitals of ASCII. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase());
}

/** A search text as part of a `like` pattern, with its special characters escaped. */
export function escapeLike(part: string): string {
  return lowerAscii(part).replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** A case-insensitive condition on a column. The parameter is a pattern made with `escapeLike`. */
export function like(column: string, parameter: `:${string}`): string {
  return `lower(${column}) like ${parameter} escape '\\'`;
}
