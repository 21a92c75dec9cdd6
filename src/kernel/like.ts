/** What somebody looks for, as part of a pattern: as it stands there, with no letter that means something. */
export function literally(part: string): string {
  return part.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/**
 * Whether a column is like a pattern in either case. The database lowers both: SQLite knows the capitals of ASCII only, and
 * would not find what JavaScript has lowered beyond them.
 */
export function like(column: string, parameter: `:${string}`): string {
  return `lower(${column}) like lower(${parameter}) escape '\\'`;
}
