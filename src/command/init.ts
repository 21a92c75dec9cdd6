import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import type { Flags, Surroundings } from '../config/load.ts';
import { localeLang, surroundings } from '../config/load.ts';
import { findAgentCli } from '../fleet/agents.ts';
import type { InstalledClient } from '../hook/install.ts';
import { clients, clientsOf, installClient } from '../hook/install.ts';
import { phrase } from '../hook/problem.ts';
import { style } from '../surface/terminal/style.ts';

const configuration = `# Sekisho. Everything is optional; docs/configuration.md has every key.
# lang: en
# processes: [.sekisho/processes]
# http: { host: 127.0.0.1, port: 9696 }
# hook: { fail: auto }
`;

/** Data and secrets stay out of version control; the configuration and the processes belong in it. */
const ignored = `sekisho.db*
*.token
daemon.json
cache/
logs/
agents/
worktrees/
`;

export const init: Command = {
  options: { client: { type: 'string', multiple: true } },
  usage: `sekisho init [folder] [--client ${clients.map((one) => one.id).join('|')}]`,
  examples: ['sekisho init', 'sekisho init --client claude', 'sekisho init ~/code/app --client codex --client gemini'],
  async run({ flags, json, options, positionals }) {
    const around = surroundings();
    const chosen = clientsOf(options['client']);
    const root = resolve(around.cwd, positionals[0] ?? flags.project ?? '.');
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
    const installed = await Promise.all(chosen.map((client) => installClient(root, client, around.env)));
    if (json) process.stdout.write(`${JSON.stringify({ root, home, made, clients: installed })}\n`);
    else {
      process.stdout.write(
        `${made.length === 0 ? 'Already prepared' : 'Prepared'}: ${style.cyan(home)}\n\nNext:\n  sekisho gate list-processes        which processes there are\n  sekisho gate create-run --process-id explore-plan-implement-verify\n${
          installed.length === 0 ? '  sekisho init --client claude       its hooks and MCP server\n' : ''
        }`,
      );
      for (const one of installed) process.stdout.write(reportOf(one, around, flags.lang));
    }
    return exitCode.ok;
  },
};

function reportOf(installed: InstalledClient, around: Surroundings, asked: Flags['lang']): string {
  const wanted = asked ?? around.env['SEKISHO_LANG'];
  const lang = wanted === 'en' || wanted === 'ja' ? wanted : localeLang(around.env);
  const { hook, trust } = findAgentCli(installed.client);
  const hints = [
    ...(hook !== undefined ? [] : [phrase.noHook({ client: installed.client })(lang)]),
    ...(trust === undefined ? [] : [trust[lang]]),
  ];
  const lines = [
    ...installed.written.map((path) => `  ${style.green('written')}    ${path}`),
    ...installed.unchanged.map((path) => `  ${style.dim('unchanged')}  ${path}`),
    ...hints.map((hint) => `  ${hint}`),
  ];
  return `\n${style.bold(installed.client)}\n${lines.join('\n')}\n`;
}
