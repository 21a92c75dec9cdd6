import { type JsonObject, isJsonObject } from '../base/json-object.ts';
import { ourCommand } from '../fleet/agent-hook.ts';
import { editJson, readJson } from './json-text.ts';

export function mergeJson(path: string, before: string | undefined, ours: JsonObject, client: string): string {
  const theirs = readJson(path, before ?? '');
  const merged = merge(theirs, ours, client, '');
  return isJsonObject(merged) ? editJson(before ?? '', theirs, merged) : (before ?? '');
}

/** Keys whose lists are replaced as a whole, not merged. */
const commandLines = ['args', 'command', 'tools'];

/** Merges our value into theirs. In a list of hooks only our entry is replaced or added; to other lists our items are added. */
function merge(theirs: unknown, ours: unknown, client: string, key: string): unknown {
  if (isJsonObject(theirs) && isJsonObject(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
    return Object.fromEntries(
      keys.map((one) => [one, Object.hasOwn(ours, one) ? merge(theirs[one], ours[one], client, one) : theirs[one]]),
    );
  }
  if (!Array.isArray(theirs) || !Array.isArray(ours) || commandLines.includes(key)) return ours;
  if (!isHookList(ours)) return [...new Set([...(theirs as unknown[]), ...(ours as unknown[])])];
  const kept = theirs.map((one: unknown) => withOurCommand(one, ours, client));
  return kept.some((one) => mentions(one, client)) ? kept : [...theirs, ...(ours as unknown[])];
}

function isHookList(ours: readonly unknown[]): boolean {
  return JSON.stringify(ours).includes(' hook ');
}

function mentions(value: unknown, client: string): boolean {
  return JSON.stringify(value)?.match(ourCommand(client)) != null;
}

/** Updates an older command of ours in place, since it may have another path. */
function withOurCommand(value: unknown, ours: unknown, client: string): unknown {
  if (typeof value === 'string') {
    const fresh = ourCommand(client).test(value) ? commandIn(ours) : undefined;
    return fresh ?? value;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => withOurCommand(one, ours, client));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withOurCommand(one, ours, client)]));
}

function commandIn(ours: unknown): string | undefined {
  if (typeof ours === 'string') return ours.includes(' hook ') ? ours : undefined;
  const inside = Array.isArray(ours) ? ours : isJsonObject(ours) ? Object.values(ours) : [];
  for (const one of inside) {
    const found = commandIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Removes our part from a file; `original` is the file before `init`. Undefined if nothing is left. */
export function unmergeJson(
  path: string,
  text: string,
  ours: JsonObject,
  { client, original }: { readonly client: string; readonly original: string | undefined },
): string | undefined {
  const now = readJson(path, text);
  const left = unmerge(now, ours, original === undefined ? undefined : readJson(path, original), client, '');
  if (!isJsonObject(left)) return undefined;
  // The format version stays as long as there are other keys.
  const { version } = now;
  const kept = original === undefined && version !== undefined && Object.keys(left).length > 0;
  return editJson(text, now, kept ? { version, ...left } : left);
}

function unmerge(now: unknown, ours: unknown, original: unknown, client: string, key: string): unknown {
  if (isJsonObject(now) && isJsonObject(ours)) {
    const before = isJsonObject(original) ? original : undefined;
    const left = Object.entries(now).flatMap(([one, value]) => {
      const kept = Object.hasOwn(ours, one) ? unmerge(value, ours[one], before?.[one], client, one) : value;
      return kept === undefined ? [] : [[one, kept] as const];
    });
    return left.length === 0 && before === undefined ? undefined : Object.fromEntries(left);
  }
  if (!Array.isArray(now) || !Array.isArray(ours) || commandLines.includes(key))
    return JSON.stringify(now) === JSON.stringify(ours) ? original : now;
  const before: readonly unknown[] | undefined = Array.isArray(original) ? original : undefined;
  const left = isHookList(ours)
    ? now.flatMap((one: unknown) => withoutOurHook(one, client))
    : now.filter((one) => !ours.includes(one) || before?.includes(one) === true);
  return left.length === 0 && before === undefined ? undefined : left;
}

/** Removes our hook from an entry, and keeps hooks of others in the same group. */
function withoutOurHook(entry: unknown, client: string): readonly unknown[] {
  if (!mentions(entry, client)) return [entry];
  const inside: unknown = isJsonObject(entry) ? entry['hooks'] : undefined;
  const others = Array.isArray(inside) ? inside.filter((one: unknown) => !mentions(one, client)) : [];
  return others.length === 0 ? [] : [{ ...(entry as JsonObject), hooks: others }];
}
