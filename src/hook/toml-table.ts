import type { Plain } from '../kernel/plain.ts';

/** Our keys of one table; what else stands in it and around it stays. */
export function mergedToml(before: string | undefined, table: string, keys: Plain): string {
  const text = before ?? '';
  const found = findTable(text, table);
  const ours = linesOf(keys);
  if (found === undefined) {
    const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    return `${text}${gap}[${table}]\n${ours.join('\n')}\n`;
  }
  const kept = found.inside.filter((line) => !Object.hasOwn(keys, keyOf(line)));
  return [...found.above, ...ours, ...kept, ...found.below].join('\n');
}

/** Without our keys, as far as nobody gave them another value; those that `original` had come back. */
export function unmergedToml(
  text: string,
  table: string,
  keys: Plain,
  original: string | undefined,
): string | undefined {
  const found = findTable(text, table);
  if (found === undefined) return text;
  const before = findTable(original ?? '', table);
  const ours = linesOf(keys);
  const left = found.inside.flatMap((line) => {
    if (!ours.includes(line.trim())) return [line];
    return before?.inside.filter((one) => keyOf(one) === keyOf(line)) ?? [];
  });
  if (before !== undefined || left.some((line) => line.trim() !== ''))
    return [...found.above, ...left, ...found.below].join('\n');
  const above = found.above.slice(0, -1);
  // The empty line that we put before it.
  if (above.at(-1)?.trim() === '') above.pop();
  const rest = [...above, ...left, ...found.below].join('\n');
  return rest.trim() === '' && original === undefined ? undefined : rest;
}

/** A JSON string is a TOML string. */
function linesOf(keys: Plain): readonly string[] {
  return Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
}

function keyOf(line: string): string {
  return line.split('=')[0]?.trim() ?? '';
}

/** `above` ends with the table's head. */
export function findTable(text: string, table: string) {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.trim() === `[${table}]` || line.trim().startsWith(`[${table}] #`));
  if (at < 0) return undefined;
  const next = lines.findIndex((line, index) => index > at && line.trim().startsWith('['));
  const end = next < 0 ? lines.length : next;
  return { above: lines.slice(0, at + 1), inside: lines.slice(at + 1, end), below: lines.slice(end) };
}
