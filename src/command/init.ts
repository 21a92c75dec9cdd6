import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { installCopy } from '../app/own-copy.ts';
import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import { trustFiles } from '../app/trust-files.ts';
import { authorOf } from '../app/user-store.ts';
import { configurationFile } from '../kernel/trust.ts';
import { requirePerson } from './as-person.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import type { Flags, Surroundings } from '../config/load.ts';
import { localeLang, surroundings } from '../config/load.ts';
import { findAgentCli } from '../fleet/agents.ts';
import type { Client, InstalledClient } from '../hook/install.ts';
import { clients, clientsOf, installClient } from '../hook/install.ts';
import { instruct } from '../hook/instruct.ts';
import { notePrepared } from '../hook/prepared.ts';
import { setupPhrase } from '../hook/setup-text.ts';
import type { DataFolder } from '../config/data-folder.ts';
import { dataFolder } from '../config/data-folder.ts';
import { excludeFromGit } from '../config/exclude.ts';
import { locate, realPath } from '../config/locate.ts';
import { registerRoot, rootOf } from '../config/register.ts';
import type { Root } from '../config/root.ts';
import { moveRoot, readRoot } from '../config/root.ts';
import { problem } from '../kernel/problem.ts';
import type { Lang } from '../kernel/text.ts';
import { style } from '../surface/terminal/style.ts';

const configuration = `# Sekisho. Everything is optional; docs/configuration.md has every key.
# lang: en
# processes: [.sekisho/processes]
# http: { host: 127.0.0.1, port: 9696 }
# hook: { fail: auto }
`;

export const init: Command = {
  options: {
    client: { type: 'string', multiple: true },
    shared: { type: 'boolean' },
    'trust-folder': { type: 'boolean' },
    'moved-from': { type: 'string' },
  },
  usage: `sekisho init [folder] [--client ${clients.map((one) => one.id).join('|')}] [--shared] [--trust-folder] [--moved-from OLD]`,
  examples: [
    'sekisho init',
    'sekisho init --client claude',
    'sekisho init ~/code/app --client codex --client gemini',
    'sekisho init --client claude --shared     into files for version control',
  ],
  async run({ flags, json, options, positionals }) {
    const around = surroundings();
    const chosen = clientsOf(options['client']);
    // Not upwards from here: this folder is to be the project, and a worktree is its main checkout.
    const tree = realPath(resolve(around.cwd, positionals[0] ?? flags.project ?? '.'));
    const root = rootOf(tree);
    const home = join(root, '.sekisho');
    const data = dataFolder(around.env);
    const known = readRoot(data, root) !== undefined;
    // Whoever could prepare it anew could point an agent's client elsewhere, or take over another folder's state.
    if (known || options['moved-from'] !== undefined) await provePerson(flags, around);
    const { store } = registered(data, root, options['moved-from']);
    const made: string[] = [];
    await mkdir(join(home, 'processes'), { recursive: true });
    const path = join(home, 'config.yaml');
    if (!existsSync(path)) {
      await writeFile(path, configuration);
      made.push(path);
      await trustOwn(root, around);
    }
    const copy = installCopy(data);
    const scope = options['shared'] === true ? 'shared' : 'own';
    const trustFolder = options['trust-folder'] === true;
    const calling = { scope, shim: copy.shim, tree, env: around.env } as const;
    const installed: InstalledClient[] = [];
    // One after the other: clients share files.
    for (const client of chosen) installed.push(await installClient(client, calling, trustFolder));
    const lang = langOf(around, flags.lang);
    made.push(...(await instruct(tree, chosen, lang)));
    if (chosen.length > 0) notePrepared(locate({ ...around, project: tree }).state, tree, ids(chosen), scope);
    if (scope === 'own')
      excludeFromGit(
        tree,
        installed.flatMap((one) => [...one.written, ...one.unchanged]),
      );
    if (json)
      process.stdout.write(
        `${JSON.stringify({ root, home, store, registered: !known, shim: copy.shim, made, clients: installed })}\n`,
      );
    else {
      process.stdout.write(
        `${made.length === 0 ? 'Already prepared' : 'Prepared'}: ${style.cyan(home)}\n${known ? 'Already registered' : 'Registered'}: ${style.cyan(root)}\n`,
      );
      for (const one of installed) process.stdout.write(reportOf(one, trustFolder, lang));
      process.stdout.write(`\n${setupPhrase.next({ clients: ids(chosen) })(lang)}\n`);
    }
    return exitCode.ok;
  },
};

/** A person need not look at what we wrote ourselves. Where they trusted another one before, that one still counts. */
async function trustOwn(root: string, around: Surroundings): Promise<void> {
  const { project: _project, ...config } = await configure({ project: root }, around);
  if (config.file?.trust !== 'never') return;
  const { actor } = authorOf(config.user);
  await trustFiles(config, actor, [{ file: configurationFile, text: configuration, programs: [] }]);
}

async function provePerson(flags: Flags, around: Surroundings): Promise<void> {
  const app = createApp(await configure(flags, around));
  try {
    await requirePerson(app, 'prepare a folder again that is registered already');
  } finally {
    await app.close();
  }
}

function ids(chosen: readonly Client[]): readonly string[] {
  return chosen.map((one) => one.id);
}

function langOf(around: Surroundings, asked: Flags['lang']): Lang {
  const wanted = asked ?? around.env['SEKISHO_LANG'];
  return wanted === 'en' || wanted === 'ja' ? wanted : localeLang(around.env);
}

function reportOf(installed: InstalledClient, trustFolder: boolean, lang: Lang): string {
  const { trust, untrusted } = findAgentCli(installed.client);
  const hints = [
    ...(trust === undefined ? [] : [trust[lang]]),
    ...(untrusted === undefined || trustFolder ? [] : [untrusted[lang]]),
  ];
  const lines = [
    ...installed.written.map((path) => `  ${style.green('written')}    ${path}`),
    ...installed.unchanged.map((path) => `  ${style.dim('unchanged')}  ${path}`),
    ...hints.map((hint) => `  ${hint}`),
  ];
  return `\n${style.bold(installed.client)}\n${lines.join('\n')}\n`;
}

function registered(data: DataFolder, root: string, movedFrom: unknown): Root {
  if (typeof movedFrom !== 'string') return registerRoot(data, root, new Date());
  const bad = (reason: string) => problem.BAD_CONFIGURATION({ file: '--moved-from', reason });
  const before = readRoot(data, resolve(movedFrom));
  if (before === undefined) throw bad(`${movedFrom} is not registered`);
  if (existsSync(before.path)) throw bad(`${movedFrom} is still there`);
  if (readRoot(data, root) !== undefined) throw bad(`${root} is registered already, with a store of its own`);
  return moveRoot(data, before, root);
}
