import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from '../command.ts';
import { exitCode } from '../command.ts';
import { surroundings } from '../config.ts';
import { style } from '../surface/render.ts';

const configuration = `# Sekisho. Everything is optional; docs/configuration.md has every key.
# lang: en
# processes: [.sekisho/processes]
# http: { host: 127.0.0.1, port: 9696 }
# hook: { fail: auto }
`;

/** Data and secrets stay out of version control; the configuration and the processes belong in it. */
const ignored = `sekisho.db*
*.token
cache/
logs/
`;

export const init: Command = {
  options: {},
  usage: 'sekisho init [folder]',
  examples: ['sekisho init', 'sekisho init ~/code/app'],
  async run({ flags, json, positionals }) {
    const root = resolve(surroundings().cwd, positionals[0] ?? flags.project ?? '.');
    const home = join(root, '.sekisho');
    const made: string[] = [];
    await mkdir(join(home, 'processes'), { recursive: true, mode: 0o700 });
    for (const [name, text] of [
      ['config.yaml', configuration],
      ['.gitignore', ignored],
    ] as const) {
      const path = join(home, name);
      if (existsSync(path)) continue;
      await writeFile(path, text);
      made.push(path);
    }
    if (json) process.stdout.write(`${JSON.stringify({ root, home, made })}\n`);
    else {
      process.stdout.write(
        `${made.length === 0 ? 'Already prepared' : 'Prepared'}: ${style.cyan(home)}\n\nNext:\n  sekisho gate list-processes        which processes there are\n  sekisho gate create-run --process-id explore-plan-implement-verify\n  claude mcp add sekisho -- sekisho mcp\n`,
      );
    }
    return exitCode.ok;
  },
};
