import type { SetupFile } from '../fleet/agent-hook.ts';
import { mergeJson, unmergeJson } from './merge-json.ts';
import { mergeToml, unmergeToml } from './toml-table.ts';

/** The part of a file that `init` writes. It is recorded as JSON, so it is plain data. */
export type Part = { readonly client: string } & (
  | SetupFile
  /** A block between two markers, in a text that people write. */
  | { readonly path: string; readonly block: string }
  /** A file that we create and a person continues. It is never removed. */
  | { readonly path: string; readonly begun: string }
);

const begin = '<!-- sekisho: written by "sekisho init" -->';
const end = '<!-- /sekisho -->';

export function withPart(part: Part, before: string | undefined): string {
  if ('text' in part) return part.text;
  if ('begun' in part) return part.begun;
  if ('lines' in part) return withLines(before ?? '', part.lines);
  if ('block' in part) return withBlock(before ?? '', `${begin}\n${part.block}\n${end}`);
  return 'json' in part ? mergeJson(part.path, before, part.json, part.client) : mergeToml(part, before);
}

/** Removes a part from a text that may have changed since. `original` is the file before `init`. Undefined: delete the file. */
export function withoutPart(part: Part, text: string, original: string | undefined): string | undefined {
  if ('text' in part) return original;
  if ('begun' in part) return text;
  if ('json' in part) return unmergeJson(part.path, text, part.json, { client: part.client, original });
  if ('table' in part) return unmergeToml(part, text, original);
  const left = 'block' in part ? withoutBlock(text) : withoutLines(text, part.lines, original ?? '');
  return left.trim() === '' && original === undefined ? undefined : left;
}

function withLines(before: string, lines: readonly string[]): string {
  const there = before.split('\n').map((one) => one.trim());
  const fresh = lines.filter((one) => !there.includes(one));
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return fresh.length === 0 ? before : `${before}${gap}${fresh.join('\n')}\n`;
}

function withoutLines(text: string, lines: readonly string[], original: string): string {
  const before = original.split('\n').map((one) => one.trim());
  const ours = lines.filter((one) => !before.includes(one));
  return text
    .split('\n')
    .filter((one) => !ours.includes(one.trim()))
    .join('\n');
}

function withBlock(text: string, block: string): string {
  const found = findBlock(text);
  if (found !== undefined) return found.above + block + found.below;
  return `${text}${text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'}${block}\n`;
}

function withoutBlock(text: string): string {
  const found = findBlock(text);
  // The empty line before the block is ours too.
  return found === undefined ? text : found.above.replace(/\n\n$/, '\n') + found.below.replace(/^\n/, '');
}

function findBlock(text: string): { readonly above: string; readonly below: string } | undefined {
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  return from < 0 || to < 0 ? undefined : { above: text.slice(0, from), below: text.slice(to + end.length) };
}
