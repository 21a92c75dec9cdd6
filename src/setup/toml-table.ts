import { isDeepStrictEqual } from 'node:util';
import type { AST } from 'toml-eslint-parser';
import { type JsonObject, isJsonObject } from '../base/json-object.ts';
import { isProblem, problem as kernelProblem } from '../kernel/problem.ts';
import { type KeyPath, type TomlDocument, type TomlEntry, keyPathOf, readToml } from './toml-text.ts';

export interface TomlTable {
  readonly path: string;
  readonly table: string;
  readonly keys: JsonObject;
}

const mark = '\uFEFF';

/** Writes our keys into our table. Only values that differ are changed; the rest of the text stays as it is. */
export function mergeToml({ path, table, keys }: TomlTable, before: string | undefined): string {
  const text = (before ?? '').replace(mark, '');
  const { value } = readToml(path, text);
  const place = keyPathOf(table);
  const edited = withEntries(path, text, place, keys);
  // If the file has something else under that name, a list for example, our keys cannot be added.
  if (edited === undefined || !isDeepStrictEqual(readToml(path, edited).value, withKeys(value, place, keys)))
    throw kernelProblem.BAD_CONFIGURATION({
      file: path,
      reason: {
        en: `${table} is not a table there, so nothing was changed. Remove it, or write it as [${table}]`,
        ja: `${table} がテーブルではないため、何も変更していません。削除するか、[${table}] の形で書いてください`,
      },
    });
  return (before?.startsWith(mark) === true ? mark : '') + edited;
}

/** Removes our keys, unless their values were changed since. Keys that `original` had get their old values. */
export function unmergeToml(
  { path, table, keys }: TomlTable,
  given: string,
  original: string | undefined,
): string | undefined {
  const text = given.replace(mark, '');
  const former = (original ?? '').replace(mark, '');
  const place = keyPathOf(table);
  const before = readToml(path, former);
  const left = Object.entries(keys).reduce((now, [key, ours]) => {
    const at = [...place, key];
    const document = readToml(path, now);
    const there = entryAt(document, at);
    if (there === undefined || !isDeepStrictEqual(valueAt(document.value, at), ours)) return now;
    if (isDeepStrictEqual(ours, valueAt(before.value, at))) return now;
    const was = entryAt(before, at);
    if (was === undefined) return withoutEntry(now, there);
    return splice(now, there.node.value.range, former.slice(...was.node.value.range));
  }, text);
  const rest = isWritten(before, place) ? left : withoutTable(path, left, place, former);
  if (rest.trim() === '' && original === undefined) return undefined;
  return (given.startsWith(mark) ? mark : '') + rest;
}

export function readTomlObject(path: string, text: string): JsonObject {
  const { value } = readToml(path, text.replace(mark, ''));
  return isJsonObject(value) ? value : {};
}

function withEntries(path: string, text: string, table: KeyPath, keys: JsonObject): string | undefined {
  try {
    const edited = Object.entries(keys).reduce((now, [key, one]) => withKey(path, now, [...table, key], one), text);
    readToml(path, edited);
    return edited;
  } catch (error) {
    if (isProblem(error)) return undefined;
    throw error;
  }
}

export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce((one: unknown, key) => (isJsonObject(one) ? one[key] : undefined), value);
}

function withKeys(value: unknown, [first, ...rest]: KeyPath, keys: JsonObject): JsonObject {
  const known = isJsonObject(value) ? value : {};
  return first === undefined ? { ...known, ...keys } : { ...known, [first]: withKeys(known[first], rest, keys) };
}

function withKey(path: string, text: string, at: KeyPath, value: unknown): string {
  const document = readToml(path, text);
  if (isDeepStrictEqual(valueAt(document.value, at), value)) return text;
  // A JSON string is a TOML string.
  const rendered = JSON.stringify(value);
  const there = entryAt(document, at);
  if (there !== undefined) return splice(text, there.node.value.range, rendered);
  return withEntry(text, document, at.slice(0, -1), `${at.at(-1)} = ${rendered}`);
}

/** Adds an entry to a table, in the form that the file uses for it. */
function withEntry(text: string, document: TomlDocument, table: KeyPath, line: string): string {
  const { entries } = document;
  const whole = entryAt(document, table)?.node.value;
  if (whole?.type === 'TOMLInlineTable') return withInline(text, whole, line);
  const head = headOf(document, table);
  if (head !== undefined) return withLine(text, head.body.at(-1) ?? head.key, line);
  // Dotted keys define a table too: `mcp_servers.sekisho.command = …`.
  const dotted = entries.findLast((one) => startsWith(one.path, table) && aboveOf(one) < table.length);
  if (dotted !== undefined) {
    const { key } = dotted.node;
    const shared = key.keys.slice(0, table.length - aboveOf(dotted));
    const full = `${text.slice(key.range[0], shared.at(-1)?.range[1])}.${line}`;
    return dotted.inline === undefined ? withLine(text, dotted.node, full) : withInline(text, dotted.inline, full);
  }
  // An inline table can only be extended inside its braces.
  const around = entries.findLast((one) => one.node.value.type === 'TOMLInlineTable' && startsWith(table, one.path));
  if (around?.node.value.type === 'TOMLInlineTable') {
    const name = nameOf(table.slice(around.path.length));
    return withInline(text, around.node.value, `${name} = { ${line} }`);
  }
  const end = lineBreakOf(text);
  return `${text}${gapAfter(text)}[${nameOf(table)}]${end}${line}${end}`;
}

function withoutTable(path: string, text: string, table: KeyPath, original: string): string {
  const document = readToml(path, text);
  const whole = entryAt(document, table);
  if (whole?.node.value.type === 'TOMLInlineTable' && whole.node.value.body.length === 0)
    return withoutEntry(text, whole);
  const head = headOf(document, table);
  if (head === undefined || head.body.length > 0) return text;
  const from = head.range[0];
  const to = text.indexOf(']', head.key.range[1]) + 1;
  const below = text.slice(to).replace(/^[ \t]*(?:\r?\n|$)/, '');
  // The gap is the empty line that we added before the table.
  const gap = gapAfter(original);
  const above = text.slice(0, from);
  const kept = above.endsWith(gap) ? above.slice(0, above.length - gap.length) : above;
  return kept === '' || kept.endsWith('\n') || below === '' ? kept + below : kept + lineBreakOf(text) + below;
}

function withInline(text: string, inline: AST.TOMLInlineTable, entry: string): string {
  const last = inline.body.at(-1);
  const at = last?.range[1] ?? inline.range[0] + 1;
  return splice(text, [at, at], `${last === undefined ? '' : ', '}${entry}`);
}

function withLine(text: string, node: AST.TOMLKeyValue | AST.TOMLKey, line: string): string {
  const at = lineEndAfter(text, node.range[1]);
  const indent = node.type === 'TOMLKeyValue' ? (/[ \t]*$/.exec(text.slice(0, node.range[0]))?.[0] ?? '') : '';
  return splice(text, [at, at], `${lineBreakOf(text)}${indent}${line}`);
}

function withoutEntry(text: string, { node, inline }: TomlEntry): string {
  const [from, to] = node.range;
  if (inline === undefined) {
    const above = text.slice(0, from);
    const isAlone = lineEndAfter(text, to) === to;
    if (!isAlone) return above + text.slice(to); // A comment follows on the line; keep it.
    const before = above.replace(/\r?\n[ \t]*$/, '');
    return before === above ? text.slice(to).replace(/^\r?\n/, '') : before + text.slice(to);
  }
  const index = inline.body.indexOf(node);
  const previous = inline.body[index - 1];
  if (previous !== undefined) return splice(text, [previous.range[1], to], '');
  return splice(text, [from, inline.body[index + 1]?.range[0] ?? to], '');
}

function entryAt({ entries }: TomlDocument, path: KeyPath): TomlEntry | undefined {
  return entries.find((one) => isDeepStrictEqual(one.path, path));
}

function headOf({ tables }: TomlDocument, table: KeyPath): AST.TOMLTable | undefined {
  return tables.find((one) => one.kind === 'standard' && isDeepStrictEqual(one.resolvedKey, table));
}

/** Whether the table itself is written in the file. Subtables define a table too, but it has no place of its own. */
function isWritten(document: TomlDocument, table: KeyPath): boolean {
  return entryAt(document, table) !== undefined || headOf(document, table) !== undefined;
}

/** The number of keys that lead to the table of an entry. */
function aboveOf({ path, node }: TomlEntry): number {
  return path.length - node.key.keys.length;
}

function startsWith(path: KeyPath, first: KeyPath): boolean {
  return path.length > first.length && isDeepStrictEqual(path.slice(0, first.length), first);
}

function nameOf(path: KeyPath): string {
  return path.map((one) => (/^[\w-]+$/.test(String(one)) ? one : JSON.stringify(one))).join('.');
}

function splice(text: string, [from, to]: readonly [number, number], put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

function lineEndAfter(text: string, offset: number): number {
  const end = text.slice(offset).search(/\r?\n/);
  return end < 0 ? text.length : offset + end;
}

function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The gap between the text and a table that is added after it. */
function gapAfter(text: string): string {
  const end = lineBreakOf(text);
  return text === '' || text.endsWith(end + end) ? '' : text.endsWith('\n') ? end : end + end;
}
