import { parse } from 'yaml';
import { problem } from '../kernel/problem.ts';
import { messageOf } from '../kernel/failure.ts';

/** `.sekisho/config.yaml` as it is written. */
export function parseConfig(path: string, text: string): object {
  const value = parsed(path, text);
  if (typeof value === 'object' && !Array.isArray(value)) return value ?? {};
  throw problem.BAD_CONFIGURATION({ file: path, reason: 'top level: it is not a list of keys' });
}

function parsed(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw problem.BAD_CONFIGURATION({ file: path, reason: messageOf(error) });
  }
}
