import type { Query, Value } from '../kernel/store/store.ts';

// Strings, quoted names, comments and casts match first, so a colon inside of them is never a placeholder.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z_]\w*)/g;

/** The texts before, between and after the placeholders, and one name per occurrence, in order. */
export function splitAtPlaceholders(sql: string) {
  const texts: string[] = [];
  const names: string[] = [];
  let from = 0;
  for (const match of sql.matchAll(token)) {
    const name = match[1];
    if (name === undefined) continue;
    texts.push(sql.slice(from, match.index));
    names.push(name);
    from = match.index + match[0].length;
  }
  texts.push(sql.slice(from));
  return { texts, names };
}

/** The values in order of occurrence. A missing or superfluous argument throws, instead of becoming a null in one database. */
export function valuesOf(query: Query, names: readonly string[], distinct: number): Value[] {
  const values = names.map((name) => {
    const value = query.args[name];
    if (value === undefined) throw new TypeError(`Argument :${name} is missing for: ${query.sql}`);
    return value;
  });
  const given = Object.keys(query.args);
  if (given.length !== distinct) {
    const unknown = given.filter((name) => !names.includes(name)).join(', ');
    throw new TypeError(`No placeholder for the arguments ${unknown} in: ${query.sql}`);
  }
  return values;
}
