/** In the case that both databases give a column: SQLite knows the capitals of ASCII only, and so does PostgreSQL by bytes. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase());
}

/** What somebody looks for, as part of a pattern: as it stands there, with no letter that means something. */
export function escapeLike(part: string): string {
  return lowerAscii(part).replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** Whether a column is like a pattern of what was made `literally`, in either case. */
export function like(column: string, parameter: `:${string}`): string {
  return `lower(${column}) like ${parameter} escape '\\'`;
}
