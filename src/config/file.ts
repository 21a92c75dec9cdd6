import { parse } from 'yaml';
import { problem } from '../kernel/problem.ts';
import { messageOf } from '../base/failure.ts';
import { isTextTooDeep, isTooDeep, maxDepth } from '../kernel/json-limits.ts';
import { noKeys } from '../kernel/setting.ts';
import { type Words, combineWords } from '../kernel/text/text.ts';

export const topLevel: Words = { en: 'top level', ja: '最上位' };

/** Parses `.sekisho/config.yaml`. */
export function parseConfig(path: string, text: string): object {
  const value = parsed(path, text);
  if (typeof value === 'object' && !Array.isArray(value)) return value ?? {};
  throw problem.BAD_CONFIGURATION({ file: path, reason: combineWords((say) => `${say(topLevel)}: ${say(noKeys)}`) });
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
