import {
  type JSONPath,
  type Node,
  type ParseError,
  createScanner,
  findNodeAtLocation,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type JsonObject, isJsonObject } from '../base/json-object.ts';
import { problem as kernelProblem } from '../kernel/problem.ts';

const mark = '\uFEFF';

/** A client's file: comments and trailing commas are no mistake there. */
export function readJson(path: string, text: string): JsonObject {
  const errors: ParseError[] = [];
  const bare = text.replace(mark, '');
  const value: unknown = bare.trim() === '' ? {} : parse(bare, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = bare.slice(0, error.offset).split('\n').length;
    const at = `${line}: ${printParseErrorCode(error.error)}`;
    const reason = {
      en: `it is no JSON, so nothing was changed (line ${at})`,
      ja: `JSON ではないため、何も変更していません (行 ${at})`,
    };
    throw kernelProblem.BAD_CONFIGURATION({ file: path, reason });
  }
  if (isJsonObject(value)) return value;
  throw kernelProblem.BAD_CONFIGURATION({
    file: path,
    reason: {
      en: 'it holds no JSON object, so nothing was changed',
      ja: 'JSON のオブジェクトではないため、何も変更していません',
    },
  });
}

/** The text with another value in it: only what differs is written anew. Comments and the look of the rest stay. */
export function editJson(text: string, from: JsonObject, to: JsonObject): string {
  const bom = text.startsWith(mark) ? mark : '';
  const bare = text.slice(bom.length);
  if (bare.trim() === '') return `${bom}${JSON.stringify(to, null, 2)}\n`;
  return bom + steps([], from, to).reduce(edited, bare);
}

interface Step {
  readonly path: JSONPath;
  /** Undefined: it goes. */
  readonly value: unknown;
}

function steps(path: JSONPath, from: unknown, to: unknown): readonly Step[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (isJsonObject(from) && isJsonObject(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => steps([...path, key], from[key], to[key]));
  }
  return (Array.isArray(from) && Array.isArray(to) ? listSteps(path, from, to) : undefined) ?? [{ path, value: to }];
}

/** Undefined where some came, some went and some changed: nobody can tell which was which. */
function listSteps(path: JSONPath, from: readonly unknown[], to: readonly unknown[]): readonly Step[] | undefined {
  if (to.length >= from.length)
    return to.flatMap((one, index) =>
      index < from.length ? steps([...path, index], from[index], one) : [{ path: [...path, index], value: one }],
    );
  const gone: number[] = [];
  let next = 0;
  for (const [index, one] of from.entries())
    if (JSON.stringify(one) === JSON.stringify(to[next])) next += 1;
    else gone.push(index);
  // From the end, so that the places of the others hold.
  return next === to.length
    ? gone.toReversed().map((index) => ({ path: [...path, index], value: undefined }))
    : undefined;
}

/** By hand: the library's own edits take comments along, and lay out the neighbours anew. */
function edited(text: string, { path, value }: Step): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const there = tree && findNodeAtLocation(tree, path);
  if (there !== undefined && value !== undefined)
    return text.slice(0, there.offset) + rendered(text, path, value) + text.slice(endOf(there));
  if (there !== undefined) return without(text, there.parent?.type === 'property' ? there.parent : there);
  const parent = tree && findNodeAtLocation(tree, path.slice(0, -1));
  return parent === undefined || value === undefined ? text : within(text, parent, path, value);
}

/** Behind what is there already. */
function within(text: string, parent: Node, path: JSONPath, value: unknown): string {
  const key = path.at(-1);
  const item = `${typeof key === 'string' ? `${JSON.stringify(key)}: ` : ''}${rendered(text, path, value)}`;
  const last = parent.children?.at(-1);
  if (last !== undefined)
    return `${text.slice(0, endOf(last))},${newLine(text, path.length)}${item}${text.slice(endOf(last))}`;
  const inside = text.slice(parent.offset + 1, endOf(parent) - 1).trimEnd();
  const rest = newLine(text, path.length - 1) + text.slice(endOf(parent) - 1);
  return text.slice(0, parent.offset + 1) + inside + newLine(text, path.length) + item + rest;
}

function without(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(node) - 1];
  const from = text.slice(0, node.offset).trimEnd().length;
  const to = endOf(node);
  const comma = commaAfter(text, to);
  if (comma !== undefined) return text.slice(0, from) + text.slice(to, comma) + text.slice(comma + 1);
  const before = previous === undefined ? undefined : commaAfter(text, endOf(previous));
  if (before !== undefined) return text.slice(0, before) + text.slice(before + 1, from) + text.slice(to);
  return text.slice(0, from) + text.slice(to).replace(/^\s+(?=[}\]])/, '');
}

/** The comma that comes next, where nothing but space and comments is before it. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function rendered(text: string, path: JSONPath, value: unknown): string {
  return JSON.stringify(value, null, indentOf(text)).split('\n').join(newLine(text, path.length));
}

function newLine(text: string, depth: number): string {
  return `${text.includes('\r\n') ? '\r\n' : '\n'}${indentOf(text).repeat(depth)}`;
}

/** As the file has it. */
function indentOf(text: string): string {
  return /^([ \t]+)["'{[]/m.exec(text)?.[1] ?? '  ';
}
