import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { remember } from '../cache.ts';
import type { PromptRemedy } from '../../problem.ts';
import { type Prompt, emptyPrompt, isPromptName, parsePrompt } from '../../prompt/prompt.ts';
import type { Source } from '../source.ts';

const parsed = new Map<string, { readonly stamp: string; readonly prompt: Prompt }>();

/** A folder of `<name>.md` files. Every call checks whether the file has changed. */
export function folderSource(folder: string, id: string, remedy: PromptRemedy): Source {
  return {
    id: id === 'shipped' ? `shipped:${folder}` : id,
    remedy,
    async load(context, name) {
      const file = join(folder, `${name}.md`);
      const prompt = await read(file, name);
      if (prompt?.content.trim() === '') throw emptyPrompt(context, file);
      return prompt === undefined ? undefined : remember(context, folder, prompt);
    },
    title: async (_context, name) => (await read(join(folder, `${name}.md`), name))?.title,
    async names() {
      const files = await readdir(folder).catch(() => []);
      return files
        .filter((file) => file.endsWith('.md') && isPromptName(file.slice(0, -3)))
        .map((file) => file.slice(0, -3))
        .toSorted();
    },
  };
}

async function read(path: string, name: string): Promise<Prompt | undefined> {
  const info = await stat(path, { bigint: true }).catch(() => undefined);
  if (info?.isFile() !== true) return undefined;
  const stamp = `${info.mtimeNs}:${info.size}:${info.ino}`;
  const known = parsed.get(path);
  if (known?.stamp === stamp) return known.prompt;
  const prompt = parsePrompt(name, await readFile(path, 'utf8'), path);
  parsed.set(path, { stamp, prompt });
  return prompt;
}
