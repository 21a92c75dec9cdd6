import type { Plain } from '../kernel/plain.ts';
import { isPlain } from '../kernel/plain.ts';
import { messageOf } from '../kernel/failure.ts';
import { problem as kernelProblem } from '../kernel/problem.ts';
import { ourCommand } from './invocation.ts';

export function mergedJson(path: string, before: string | undefined, ours: Plain, client: string): string {
  const theirs = before === undefined || before.trim() === '' ? {} : parse(path, before);
  const merged = merge(theirs, ours, client, '');
  return JSON.stringify(merged) === JSON.stringify(theirs) && before !== undefined
    ? before
    : `${JSON.stringify(merged, null, 2)}\n`;
}

function parse(path: string, text: string): Plain {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw kernelProblem.BAD_CONFIGURATION({
      file: path,
      reason: `it is no plain JSON, so nothing was changed (${messageOf(error)})`,
    });
  }
  if (isPlain(value)) return value;
  throw kernelProblem.BAD_CONFIGURATION({ file: path, reason: 'it holds no JSON object, so nothing was changed' });
}

/** Lists that are one command line, not a collection. */
const commandLines = ['args', 'command', 'tools'];

/** Objects are merged; of a list of hooks only our own entry is replaced or added; to a list of words ours are added. */
function merge(theirs: unknown, ours: unknown, client: string, key: string): unknown {
  if (isPlain(theirs) && isPlain(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
    return Object.fromEntries(
      keys.map((one) => [one, Object.hasOwn(ours, one) ? merge(theirs[one], ours[one], client, one) : theirs[one]]),
    );
  }
  if (!Array.isArray(theirs) || !Array.isArray(ours) || commandLines.includes(key)) return ours;
  if (!JSON.stringify(ours).includes(' hook ')) return [...new Set([...(theirs as unknown[]), ...(ours as unknown[])])];
  const kept = theirs.map((one: unknown) => withOurCommand(one, ours, client));
  return kept.some((one) => mentions(one, client)) ? kept : [...theirs, ...(ours as unknown[])];
}

function mentions(value: unknown, client: string): boolean {
  return JSON.stringify(value)?.match(ourCommand(client)) != null;
}

/** An older entry of ours may lead to another place: it is brought up to date where it stands. */
function withOurCommand(value: unknown, ours: unknown, client: string): unknown {
  if (typeof value === 'string') {
    const fresh = ourCommand(client).test(value) ? commandIn(ours) : undefined;
    return fresh ?? value;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => withOurCommand(one, ours, client));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withOurCommand(one, ours, client)]));
}

function commandIn(ours: unknown): string | undefined {
  if (typeof ours === 'string') return ours.includes(' hook ') ? ours : undefined;
  const inside = Array.isArray(ours) ? ours : isPlain(ours) ? Object.values(ours) : [];
  for (const one of inside) {
    const found = commandIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Our keys of one table; what else stands in it and around it stays. */
export function mergedToml(before: string | undefined, table: string, keys: Plain): string {
  const ours = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`); // A JSON string is a TOML string.
  const lines = (before ?? '').split('\n');
  const at = lines.findIndex((line) => line.trim() === `[${table}]`);
  if (at < 0) {
    const text = before ?? '';
    const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    return `${text}${gap}[${table}]\n${ours.join('\n')}\n`;
  }
  const next = lines.findIndex((line, index) => index > at && line.trim().startsWith('['));
  const end = next < 0 ? lines.length : next;
  const inside = lines.slice(at + 1, end);
  const kept = inside.filter((line) => !Object.hasOwn(keys, line.split('=')[0]?.trim() ?? ''));
  return [...lines.slice(0, at + 1), ...ours, ...kept, ...lines.slice(end)].join('\n');
}
