import { findRepository, tryGit } from '../machine/git.ts';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { admitAgain, admitFirst, ownUserKey, readAdmitted } from '../app/user/admitted.ts';
import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import { examineRings, findStore } from '../setup/rings.ts';
import { shimOf } from '../setup/own-copy.ts';
import { openProjectStore } from '../app/open-store.ts';
import { installProgram } from '../setup/program-record.ts';
import { trustFiles } from '../app/user/trust-files.ts';
import { acceptUserHead, userHeadFaults } from '../app/user/user-head.ts';
import { authorOf, firstToken } from '../app/user/user-store.ts';
import { type DataFolder, dataFolder } from '../config/data-folder.ts';
import { forgetDatabase, isDatabaseLost } from '../config/database.ts';
import { gitTop } from '../config/exclude.ts';
import { repairHookKeys } from '../config/hook-keys.ts';
import {
  type Config,
  type Flags,
  type Surroundings,
  localeLang,
  namedDatabase,
  readSurroundings,
  userName,
} from '../config/load.ts';
import { locate, realPath, rootsAround } from '../config/locate.ts';
import { registerRoot, rootOf } from '../config/register.ts';
import { type Root, listRoots, moveRoot, readRoot } from '../config/root.ts';
import { readConfiguration } from '../config/trust.ts';
import { repositoryOf } from '../config/worktree.ts';
import { agentMarks } from '../fleet/agents.ts';
import { makeChange, removeFolder } from '../setup/draft.ts';
import { clients, everyClient } from '../setup/install.ts';
import { findHookTrust } from '../setup/inspect-setup.ts';
import { notePrepared, clientsPreparedIn } from '../setup/prepared-clients.ts';
import { setupQuestion } from '../setup/setup-question.ts';
import { noteParts, readSetup, writeSetup } from '../setup/setup-record.ts';
import { setupPhrase } from '../setup/setup-text.ts';
import { markIn } from '../kernel/agent-marks.ts';
import type { Actor } from '../kernel/context.ts';
import { isProblem, problem } from '../kernel/problem.ts';
import type { Lang, Sentence, Words } from '../kernel/text/text.ts';
import { configurationFile } from '../kernel/trust.ts';
import { screenFor } from './frame/with-app.ts';
import { deed, requirePerson } from './frame/as-person.ts';
import { renderNextStep } from './status/overview-view.ts';
import { say, sayAside, printJson } from '../surface/terminal/print.ts';
import { offerAtTerminal } from '../surface/terminal/question.ts';
import { type Command, type Invocation, exitCode } from './frame/command.ts';
import { type Wishes, chooseWishes } from './init/choice.ts';
import { type InitPlan, parseConfigured, differenceOf, planSetup, renderChanges } from './init/plan.ts';
import { planForPeople, reportForPeople, reportForPrograms } from './init/report.ts';
import { readOverview } from './status/overview.ts';
import { words } from './words.ts';

export const init: Command = {
  options: {
    client: { type: 'string', multiple: true },
    process: { type: 'string' },
    shared: { type: 'boolean' },
    'trust-folder': { type: 'boolean' },
    'test-command': { type: 'string' },
    yes: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    'moved-from': { type: 'string' },
  },
  usage: `sekisho init [folder] [--client ${everyClient.map((one) => one.id).join('|')}] [--toolsets gate,fleet] [--process ID] [--test-command "npm test"] [--yes] [--dry-run] [--shared] [--trust-folder] [--moved-from OLD]`,
  examples: [
    { line: 'sekisho init', note: words('asks, at a terminal') },
    { line: 'sekisho init --yes', note: words('asks nothing; takes the clients and the test command that it finds') },
    { line: 'sekisho init --client claude --dry-run', note: words('shows what would change, and changes nothing') },
    'sekisho init ~/code/app --client codex --client gemini',
    { line: 'sekisho init --client claude --shared', note: words('into files for version control') },
    { line: 'sekisho init --test-command "npm test"', note: words('the gate runs it to see whether the tests pass') },
  ],
  async run(invocation) {
    const { flags, json, options } = invocation;
    const around = readSurroundings();
    const lang = langOf(around, flags.lang);
    const byAgent = markIn(agentMarks, around.env) !== undefined;
    const dry = options['dry-run'] === true;
    const asks = around.terminal && !byAgent && !json && options['yes'] !== true;
    // This folder becomes the project (of a worktree, its main checkout). Only a person can choose a folder above it.
    const tree = await treeOf(invocation, around, asks ? lang : undefined);
    const root = tree === undefined ? undefined : rootOf(tree);
    if (tree === undefined || root === undefined) return stop(lang);
    const data = dataFolder(around.env);
    const owner = { place: locate({ ...around, project: root }), user: userName(), environment: around.env };
    // An unusable token must fail before the first question, not half-way.
    firstToken(owner);
    const known = readRoot(data, root) !== undefined;
    // Preparing a registered folder again could point an agent's client elsewhere or take over another folder's state,
    // and a new root inside a registered one would be another gate. So both need a person.
    const proves = !dry && (rootsAround(data, root).length > 0 || options['moved-from'] !== undefined);
    const person = proves ? await provePerson(flags, around, deed.prepareAgain()) : undefined;
    const home = join(root, '.sekisho');
    const path = join(home, 'config.yaml');
    // A file that was removed comes back as a person trusted it last: that is what counts meanwhile.
    const { text: counting, trust } = readConfiguration(owner.place);
    const removed = trust === 'removed' && !existsSync(path) ? counting : undefined;
    const configuration = existsSync(path) ? readFileSync(path, 'utf8') : removed;
    const scope = options['shared'] === true ? 'shared' : 'own';
    const calling = { scope, shim: shimOf(data), tree, repository: repositoryOf(tree), env: around.env } as const;
    const wishes = await chooseWishes({
      given: {
        client: options['client'],
        toolsets: flags.toolsets,
        process: options['process'],
        test: options['test-command'],
      },
      configured: parseConfigured(path, configuration),
      calling,
      isNew: configuration === undefined,
      prepared: clientsPreparedIn(locate({ ...around, project: tree }).state, tree),
      around,
      by: asks ? lang : options['yes'] === true ? 'defaults' : undefined,
    });
    if (wishes === undefined) return stop(lang);
    const trustFolder = options['trust-folder'] === true;
    const repository = findRepository(tree, around.env, true);
    const hasCommit =
      repository !== undefined && (await tryGit(repository, ['rev-parse', '--verify', 'HEAD'])) !== undefined;
    const makePlan = () =>
      planSetup({ home, removed, record: readSetup(data.state), calling, wishes, hasCommit, trustFolder, lang });
    const planned = makePlan();
    if (dry) return show(planned, json);
    const list = planForPeople(planned, calling, data.path, lang);
    if (asks && list !== undefined) {
      const text = `\n${list}\n${setupPhrase.beforeWriting()(lang)}`;
      if (!(await offerAtTerminal(text, setupQuestion.write()(lang)))) return stop(lang, exitCode.refused);
    } else if (!json && list !== undefined) say(`${list}\n\n`);
    // Files may have changed while the question was open.
    const plan = asks ? makePlan() : planned;
    await installProgram(owner, async () => person ?? provePerson(flags, around, deed.replaceProgram()));
    const { store } = registered(data, root, options['moved-from'], namedDatabase(flags, around));
    // All roots use the same copy of the program, so the hook keys of every root must be compiled by this version.
    for (const one of listRoots(data)) await repairHookKeys({ data, key: one.key });
    const wrote = await carryOut(plan, { data, root, tree, around, byAgent, person, wishes });
    const hooked = wishes.clients.filter((one) => clients.includes(one)).map((one) => one.id);
    if (hooked.length > 0) notePrepared(locate({ ...around, project: tree }).state, tree, hooked, scope);
    const trusted = wishes.clients.filter((one) => findHookTrust(one, calling) === 'trusted').map((one) => one.id);
    const done = { root, home, store, isNew: !known, shim: calling.shim, plan, wishes, wrote, trustFolder, trusted };
    if (json) process.stdout.write(reportForPrograms(done));
    else say(reportForPeople(done, await readNextStep({ ...flags, project: tree }, around, lang), lang));
    return exitCode.ok;
  },
};

interface Carrying {
  readonly data: DataFolder;
  readonly root: string;
  readonly tree: string;
  readonly around: Surroundings;
  readonly byAgent: boolean;
  /** The person, where one was proved. */
  readonly person: Actor | undefined;
  readonly wishes: Wishes;
}

/**
 * Writes the files of the plan and trusts the configuration where no review is needed: it is new and ours, or a person
 * changed a trusted one. A test command that an agent named waits for a person.
 */
async function carryOut(plan: InitPlan, { data, root, tree, around, byAgent, person, wishes }: Carrying) {
  const { path, before, text } = plan.configuration;
  const { project: _project, ...config } = await configure({ project: root }, around);
  const stood = config.file?.trust;
  const { draft, parts, record, folders, processes } = plan;
  // The record comes first, so that everything that is written can be uninstalled.
  writeSetup(data.state, noteParts(record, tree, parts, draft, { [path]: processes }));
  for (const change of draft.changes()) makeChange(change);
  for (const folder of folders) removeFolder(folder);
  for (const folder of processes) mkdirSync(folder);
  const { db, place } = config;
  const lost = person !== undefined && isDatabaseLost(place.state, db) ? db : undefined;
  if (lost !== undefined) forgetDatabase(place.state, lost);
  const { words: testCommand } = wishes.test;
  const ours = before === undefined && stood === undefined && !(byAgent && testCommand !== undefined);
  const trusted = ours || (person !== undefined && stood === (before === undefined ? 'removed' : 'trusted'));
  const written = text !== before;
  if (written && trusted) {
    const programs = testCommand === undefined ? [] : [testCommand.join(' ')];
    await trustFiles(config, person ?? authorOf(config.user).actor, [{ file: configurationFile, text, programs }]);
  }
  const unadmitted = await settlePeople(config, person);
  return { made: written ? [path] : [], trusted: written ? trusted : stood === 'trusted', lost, unadmitted };
}

/**
 * Admits this user database to the store if it is the first one, or if a person at a terminal has it in place of a lost one.
 * Returns its key where it is not admitted.
 */
async function settlePeople(config: Omit<Config, 'project'>, person: Actor | undefined): Promise<string | undefined> {
  const project = { key: config.place.key };
  const now = () => new Date();
  try {
    const store = await openProjectStore(config.place.state, config.db);
    try {
      await admitFirst(config, store, { actor: authorOf(config.user).actor, project, now });
      const userDatabase = await ownUserKey(config);
      const isAdmitted = async () => (await readAdmitted(store)).includes(userDatabase);
      if (person !== undefined && (await userHeadFaults(config, store)).length > 0) {
        const author = { actor: { ...person, userDatabase }, project, now };
        const isAtTerminal = config.terminal && config.token === undefined;
        if (isAtTerminal && !(await isAdmitted())) await admitAgain(store, author, userDatabase);
        if (await isAdmitted()) await acceptUserHead(config, author, store);
      }
      return (await isAdmitted()) ? undefined : userDatabase;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!isProblem(error)) throw error; // Setup does not need a store that is away.
    return undefined;
  }
}

/** The folder to prepare. Below the top of a checkout a person chooses between the two; undefined: canceled. */
async function treeOf({ flags, positionals }: Invocation, around: Surroundings, ask: Lang | undefined) {
  const named = positionals[0] ?? flags.project;
  const tree = realPath(resolve(around.cwd, named ?? '.'));
  const top = ask === undefined || named !== undefined ? undefined : gitTop(tree);
  if (ask === undefined || top === undefined || top === tree) return tree;
  const { chooseOne } = await import('../surface/terminal/choose.ts');
  return chooseOne(setupQuestion.folder()(ask), [{ value: top, hint: 'git' }, { value: tree }], top);
}

function stop(lang: Lang, code: number = exitCode.interrupted): number {
  sayAside(`${setupQuestion.canceled()(lang)}\n`);
  return code;
}

/** The next step that `status` shows. */
async function readNextStep(flags: Flags, around: Surroundings, lang: Lang): Promise<string> {
  const app = createApp(await configure(flags, around));
  try {
    const found = await findStore(app);
    const seen = await readOverview(app, found, await examineRings(app.config, found));
    return renderNextStep(seen, { ...(await screenFor(app, seen.next)), lang });
  } finally {
    await app.close();
  }
}

function show({ draft }: InitPlan, json: boolean): number {
  const changes = draft.changes();
  const listed = changes.map((one) => ({ path: one.path, difference: differenceOf(one) }));
  if (json) printJson({ changes: listed });
  else say(renderChanges(changes));
  return exitCode.ok;
}

async function provePerson(flags: Flags, around: Surroundings, what: Sentence): Promise<Actor> {
  const app = createApp(await configure(flags, around));
  try {
    return await requirePerson(app, what);
  } finally {
    await app.close();
  }
}

function langOf(around: Surroundings, asked: Flags['lang']): Lang {
  const wanted = asked ?? around.env['SEKISHO_LANG'];
  return wanted === 'en' || wanted === 'ja' ? wanted : localeLang(around.env);
}

function registered(data: DataFolder, root: string, movedFrom: unknown, db: string | undefined): Root {
  if (typeof movedFrom !== 'string') return registerRoot(data, root, new Date(), { db });
  const bad = (reason: Words) => problem.BAD_CONFIGURATION({ file: '--moved-from', reason });
  const before = readRoot(data, resolve(movedFrom));
  if (before === undefined)
    throw bad({ en: `${movedFrom} is not registered`, ja: `${movedFrom} は登録されていません` });
  if (existsSync(before.path)) throw bad({ en: `${movedFrom} is still there`, ja: `${movedFrom} はまだ存在します` });
  if (readRoot(data, root) !== undefined)
    throw bad({
      en: `${root} is registered already, with a store of its own`,
      ja: `${root} はすでに登録されていて、自身のデータベースを持っています`,
    });
  return moveRoot(data, before, root);
}
