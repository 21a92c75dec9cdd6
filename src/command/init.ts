import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { installCopy } from '../app/own-copy.ts';
import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import { trustFiles } from '../app/trust-files.ts';
import { authorOf } from '../app/user-store.ts';
import { configurationFile } from '../kernel/trust.ts';
import { requirePerson } from './as-person.ts';
import type { TestChoice } from './init-test.ts';
import { chooseTest, tellTest } from './init-test.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import type { Flags, Surroundings } from '../config/load.ts';
import { localeLang, surroundings } from '../config/load.ts';
import { agentMarks, findAgentCli } from '../fleet/agents.ts';
import type { Client, InstalledClient } from '../hook/install.ts';
import { clients, clientsOf, installClient, replaceFile } from '../hook/install.ts';
import { instruct } from '../hook/instruct.ts';
import { notePrepared } from '../hook/prepared.ts';
import { setupPhrase } from '../hook/setup-text.ts';
import { forgetDatabase, isDatabaseLost } from '../config/database.ts';
import type { DataFolder } from '../config/data-folder.ts';
import { dataFolder } from '../config/data-folder.ts';
import { excludeFromGit } from '../config/exclude.ts';
import { locate, realPath } from '../config/locate.ts';
import { withTestCommand } from '../config/test-command.ts';
import { registerRoot, rootOf } from '../config/register.ts';
import type { Root } from '../config/root.ts';
import { moveRoot, readRoot } from '../config/root.ts';
import { markIn } from '../kernel/agent.ts';
import type { Actor } from '../kernel/context.ts';
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
    'test-command': { type: 'string' },
    'moved-from': { type: 'string' },
  },
  usage: `sekisho init [folder] [--client ${clients.map((one) => one.id).join('|')}] [--shared] [--trust-folder] [--test-command "npm test"] [--moved-from OLD]`,
  examples: [
    'sekisho init',
    'sekisho init --client claude',
    'sekisho init ~/code/app --client codex --client gemini',
    'sekisho init --client claude --shared     into files for version control',
    'sekisho init --test-command "npm test"    what the gate runs before it believes that the tests pass',
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
    const person = known || options['moved-from'] !== undefined ? await provePerson(flags, around) : undefined;
    const lang = langOf(around, flags.lang);
    const path = join(home, 'config.yaml');
    const byAgent = markIn(agentMarks, around.env) !== undefined;
    const ask = around.terminal && !byAgent && !json ? lang : undefined;
    const test = await chooseTest({ given: options['test-command'], path, tree, ask });
    const { store } = registered(data, root, options['moved-from']);
    const made: string[] = [];
    await mkdir(join(home, 'processes'), { recursive: true });
    const wrote = await writeConfiguration({ path, root, around, test, byAgent, person });
    if (wrote.written) made.push(path);
    const copy = installCopy(data);
    const scope = options['shared'] === true ? 'shared' : 'own';
    const trustFolder = options['trust-folder'] === true;
    const calling = { scope, shim: copy.shim, tree, env: around.env } as const;
    const installed: InstalledClient[] = [];
    // One after the other: clients share files.
    for (const client of chosen) installed.push(await installClient(client, calling, trustFolder));
    made.push(...(await instruct(tree, chosen, lang)));
    if (chosen.length > 0) notePrepared(locate({ ...around, project: tree }).state, tree, ids(chosen), scope);
    if (scope === 'own')
      excludeFromGit(
        tree,
        installed.flatMap((one) => [...one.written, ...one.unchanged]),
      );
    if (json)
      process.stdout.write(
        `${JSON.stringify({
          root,
          home,
          store,
          registered: !known,
          shim: copy.shim,
          made,
          ...(wrote.lost !== undefined && { lost_database: wrote.lost }),
          clients: installed,
          test: {
            command: test.words ?? test.kept ?? null,
            trusted: wrote.trusted,
            found: test.found.map(({ words, because }) => ({ command: words, because })),
          },
        })}\n`,
      );
    else {
      const lines = [
        setupPhrase.prepared({ home: style.cyan(home), anew: made.length > 0 }),
        setupPhrase.registered({ root: style.cyan(root), anew: !known }),
        tellTest(test, wrote.trusted),
        ...(wrote.lost === undefined ? [] : [setupPhrase.databaseLost({ db: wrote.lost })]),
      ];
      for (const line of lines) process.stdout.write(`${line(lang)}\n`);
      for (const one of installed) process.stdout.write(reportOf(one, trustFolder, lang));
      process.stdout.write(`\n${setupPhrase.next({ clients: ids(chosen) })(lang)}\n`);
    }
    return exitCode.ok;
  },
};

interface Writing {
  readonly path: string;
  readonly root: string;
  readonly around: Surroundings;
  readonly test: TestChoice;
  readonly byAgent: boolean;
  /** Who has proved to be a person. */
  readonly person: Actor | undefined;
}

/**
 * A person need not look at what we wrote ourselves, nor at a test command that they just named for a file that they had
 * trusted. Where they trusted another file before, that one still counts; what an agent named waits for a person.
 */
async function writeConfiguration({ path, root, around, test, byAgent, person }: Writing) {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const base = before ?? configuration;
  const text = test.words === undefined ? base : withTestCommand(path, base, test.words);
  const { project: _project, ...config } = await configure({ project: root }, around);
  const stood = config.file?.trust;
  const written = text !== before;
  if (written) await replaceFile(path, text);
  const { db, place } = config;
  const lost = person !== undefined && isDatabaseLost(place.state, db) ? db : undefined;
  if (lost !== undefined) forgetDatabase(place.state, lost);
  const ours = before === undefined && stood === undefined && !(byAgent && test.words !== undefined);
  const trusted = ours || (before !== undefined && person !== undefined && stood === 'trusted');
  if (written && trusted) {
    const programs = test.words === undefined ? [] : [test.words.join(' ')];
    await trustFiles(config, person ?? authorOf(config.user).actor, [{ file: configurationFile, text, programs }]);
  }
  return { written, trusted: written ? trusted : stood === 'trusted', lost };
}

async function provePerson(flags: Flags, around: Surroundings): Promise<Actor> {
  const app = createApp(await configure(flags, around));
  try {
    return await requirePerson(app, 'prepare a folder again that is registered already');
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
