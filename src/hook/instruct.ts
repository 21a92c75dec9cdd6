import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lang } from '../kernel/text.ts';
import type { Client } from './install.ts';
import { replaceFile } from './install.ts';
import { setupPhrase } from './setup-text.ts';

const begin = '<!-- sekisho: written by "sekisho init" -->';
const end = '<!-- /sekisho -->';

/** A short block in the file that each client reads at every start; what else stands there stays. Returns what was written. */
export async function instruct(tree: string, clients: readonly Client[], lang: Lang): Promise<readonly string[]> {
  const names = [...new Set(clients.flatMap((one) => one.instructions ?? []))];
  const written: string[] = [];
  for (const name of names) {
    const path = join(tree, name);
    const before = existsSync(path) ? await readFile(path, 'utf8') : '';
    const after = withBlock(before, `${begin}\n${setupPhrase.instructions()(lang)}\n${end}`);
    if (after === before) continue;
    await replaceFile(path, after);
    written.push(path);
  }
  return written;
}

function withBlock(text: string, block: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from >= 0 && to >= 0) return text.slice(0, from) + block + text.slice(to + end.length);
  return `${text}${text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'}${block}\n`;
}
