import { isMap, isNode, parse, parseDocument } from 'yaml';
import { problem } from '../kernel/problem.ts';
import { messageOf } from '../base/failure.ts';
import { isTextTooDeep, isTooDeep, maxDepth } from '../kernel/json-limits.ts';
import { noKeys } from '../kernel/setting.ts';
import { type Words, combineWords } from '../kernel/text/text.ts';

const topLevel: Words = { en: 'top level', ja: '最上位' };
const notKeys = combineWords((say) => `${say(topLevel)}: ${say(noKeys)}`);

export function parseConfig(path: string, text: string): object {
  const value = parsed(path, text);
  if (typeof value === 'object' && !Array.isArray(value)) return value ?? {};
  throw problem.BAD_CONFIGURATION({ file: path, reason: notKeys });
}

function parsed(path: string, text: string): unknown {
  try {
    const value: unknown = isTextTooDeep(text) ? undefined : parse(text);
    if (value !== undefined && !isTooDeep(value)) return value;
  } catch (error) {
    throw problem.BAD_CONFIGURATION({ file: path, reason: messageOf(error) });
  }
  throw problem.BAD_CONFIGURATION({
    file: path,
    reason: { en: `it is nested deeper than ${maxDepth} levels`, ja: `入れ子が ${maxDepth} 段を超えています` },
  });
}

/** The text of a configuration with a setting changed; everything else stays as written. */
export function changeSetting(path: string, text: string, key: string, value: string | object): string {
  const written = typeof value === 'string' ? value : writeInline(value);
  const line = `${key}: ${written}`;
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw problem.BAD_CONFIGURATION({ file: path, reason: messageOf(error) });
  const { contents } = document;
  if (contents !== null && !isMap(contents)) throw problem.BAD_CONFIGURATION({ file: path, reason: notKeys });
  if (contents === null || (contents.flow !== true && !contents.has(key)))
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  const before: unknown = contents.get(key, true);
  const after = document.createNode(value, { flow: true });
  if (isNode(before)) after.comment = before.comment ?? null;
  document.set(key, after);
  return document.toString({ lineWidth: 0 });
}

/** A value on one line: `["a", "b"]` or `{ isolation: "worktree" }`. */
function writeInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => writeInline(one)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${writeInline(one)}`)
    .join(', ')} }`;
}
