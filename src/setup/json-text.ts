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

/** Reads a client's file, in which comments and trailing commas are allowed. */
export function readJson(path: string, text: string): JsonObject {
  const errors: ParseError[] = [];
  const bare = text.replace(mark, '');
  const value: unknown = bare.trim() === '' ? {} : parse(bare, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = bare.slice(0, error.offset).split('\n').length;
    const at = `${line}: ${printParseErrorCode(error.error)}`;
    const reason = {
      en: `it is not valid JSON, so nothing was changed (line ${at})`,
      ja: `JSON として正しくないため、何も変更していません (行 ${at})`,
    };
    throw kernelProblem.BAD_CONFIGURATION({ file: path, reason });
  }
  if (isJsonObject(value)) return value;
  throw kernelProblem.BAD_CONFIGURATION({
    file: path,
    reason: {
      en: 'it is not a JSON object, so nothing was changed',
      ja: 'JSON のオブジェクトではないため、何も変更していません',
    },
  });
}

/** Edits a JSON text so that it has another value. Only the differences are written; comments and formatting stay. */
export function editJson(text: string, from: JsonObject, to: JsonObject): string {
  const bom = text.startsWith(mark) ? mark : '';
  const bare = text.slice(bom.length);
  if (bare.trim() === '') return `${bom}${JSON.stringify(to, null, 2)}\n`;
  return bom + steps([], from, to).reduce(applyStep, bare);
}

interface Step {
  readonly path: JSONPath;
  /** Undefined: remove it. */
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

/** The steps that change a list; undefined if items cannot be matched, because some were removed and others changed. */
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
  // From the end, so that the other indexes stay valid.
  return next === to.length
    ? gone.toReversed().map((index) => ({ path: [...path, index], value: undefined }))
    : undefined;
}

/** Applies a step to the text. The library's own edits would remove comments and reformat neighbours. */
function applyStep(text: string, { path, value }: Step): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const there = tree && findNodeAtLocation(tree, path);
  if (there !== undefined && value !== undefined)
    return text.slice(0, there.offset) + render(text, path, value) + text.slice(endOf(there));
  if (there !== undefined) return removeNode(text, there.parent?.type === 'property' ? there.parent : there);
  const parent = tree && findNodeAtLocation(tree, path.slice(0, -1));
  return parent === undefined || value === undefined ? text : appendItem(text, parent, path, value);
}

function appendItem(text: string, parent: Node, path: JSONPath, value: unknown): string {
  const key = path.at(-1);
  const item = `${typeof key === 'string' ? `${JSON.stringify(key)}: ` : ''}${render(text, path, value)}`;
  const last = parent.children?.at(-1);
  if (last !== undefined)
    return `${text.slice(0, endOf(last))},${newLine(text, path.length)}${item}${text.slice(endOf(last))}`;
  const inside = text.slice(parent.offset + 1, endOf(parent) - 1).trimEnd();
  const rest = newLine(text, path.length - 1) + text.slice(endOf(parent) - 1);
  return text.slice(0, parent.offset + 1) + inside + newLine(text, path.length) + item + rest;
}

function removeNode(text: string, node: Node): string {
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

/** The offset of the next comma, if only whitespace and comments precede it. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function render(text: string, path: JSONPath, value: unknown): string {
  return JSON.stringify(value, null, indentOf(text)).split('\n').join(newLine(text, path.length));
}

function newLine(text: string, depth: number): string {
  return `${text.includes('\r\n') ? '\r\n' : '\n'}${indentOf(text).repeat(depth)}`;
}

function indentOf(text: string): string {
  return /^([ \t]+)["'{[]/m.exec(text)?.[1] ?? '  ';
}
