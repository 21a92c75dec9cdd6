import { isMap, isNode, parseDocument } from 'yaml';
import { messageOf } from '../base/failure.ts';
import { problem } from '../kernel/problem.ts';
import { noKeys } from '../kernel/setting.ts';
import { combineWords } from '../kernel/text/text.ts';
import { topLevel } from './file.ts';

/** The text of a configuration with a setting changed; everything else stays as written. */
export function withSetting(path: string, text: string, key: string, value: string | readonly string[]): string {
  const written = typeof value === 'string' ? value : `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
  const line = `${key}: ${written}`;
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw problem.BAD_CONFIGURATION({ file: path, reason: messageOf(error) });
  const { contents } = document;
  if (contents !== null && !isMap(contents))
    throw problem.BAD_CONFIGURATION({ file: path, reason: combineWords((say) => `${say(topLevel)}: ${say(noKeys)}`) });
  if (contents === null || (contents.flow !== true && !contents.has(key)))
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  const before: unknown = contents.get(key, true);
  const after = document.createNode(value, { flow: true });
  if (isNode(before)) after.comment = before.comment ?? null;
  document.set(key, after);
  return document.toString({ lineWidth: 0 });
}
