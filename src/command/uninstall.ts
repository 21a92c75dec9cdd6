import { resolve } from 'node:path';
import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import { type Root, readRoot, removeRoot } from '../config/root.ts';
import { locate, realPath } from '../config/locate.ts';
import { readSurroundings } from '../config/load.ts';
import { rootOf } from '../config/register.ts';
import { type Change, makeChange, openDraft, removeFolder } from '../setup/draft.ts';
import { forgetPrepared } from '../setup/prepared-clients.ts';
import { readSetup, withdrawTree, writeSetup } from '../setup/setup-record.ts';
import { setupPhrase } from '../setup/setup-text.ts';
import { databaseName } from '../base/database-name.ts';
import { type Lang, definePhrases } from '../kernel/text/text.ts';
import { askAtTerminal } from '../surface/terminal/question.ts';
import { style } from '../surface/terminal/style.ts';
import { deed, requirePerson } from './frame/as-person.ts';
import { say, printJson } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { differenceOf, renderChanges } from './init/plan.ts';
import * as ja from './ja.ts';
import { words } from './words.ts';

/** Undoes `init` in this folder. The store with the history stays. */
export const uninstall: Command = {
  options: { 'dry-run': { type: 'boolean' } },
  usage: 'sekisho uninstall [folder] [--dry-run]',
  examples: [
    { line: 'sekisho uninstall --dry-run', note: words('shows what would change, and changes nothing') },
    'sekisho uninstall',
  ],
  async run({ flags, json, options, positionals }) {
    const around = readSurroundings();
    const tree = realPath(resolve(around.cwd, positionals[0] ?? flags.project ?? '.'));
    const place = locate({ ...around, project: tree });
    const { data } = place;
    const config = await configure({ ...flags, project: tree }, around);
    const plan = () => {
      const draft = openDraft();
      const { record, folders, changed } = withdrawTree(readSetup(data.state), tree, draft);
      return { record, folders, changed, changes: draft.changes() };
    };
    const { lang } = config;
    const root = readRoot(data, rootOf(tree));
    const planned = plan();
    if (options['dry-run'] === true) {
      const { changes } = planned;
      const listed = changes.map((one) => ({ path: one.path, difference: differenceOf(one) }));
      if (json) printJson({ changes: listed });
      else say(renderChanges(changes));
      return exitCode.ok;
    }
    const app = createApp(config);
    try {
      // An agent that could uninstall would be free of the gate.
      await requirePerson(app, deed.takeAway());
    } finally {
      await app.close();
    }
    const isAsked = config.terminal && (planned.changes.length > 0 || root !== undefined);
    if (isAsked && !(await askAtTerminal(shownPlan(tree, planned, root, lang), asked.question()(lang))))
      return exitCode.refused;
    // Files may have changed while the question was open; such changes stay.
    const { record, folders, changed, changes } = isAsked ? plan() : planned;
    for (const change of changes) makeChange(change);
    for (const folder of folders) removeFolder(folder);
    writeSetup(data.state, record);
    const others = forgetPrepared(place.state, tree);
    const unregistered = root !== undefined && !others && removeRoot(data, root);
    const told = changes.map((one) => ({ path: one.path, what: whatOf(one, changed) }));
    const store = databaseName(config.db);
    if (json) printJson({ files: told, unregistered, store });
    else {
      const files = told.map(({ path, what }) => `  ${style.green(setupPhrase[what]()(lang))}  ${path}\n`);
      say(`${files.join('')}${summary(told.length > 0 || unregistered, store, lang)}\n`);
    }
    return exitCode.ok;
  },
};

export const english = {
  intro: ({ tree }: { tree: string }) =>
    `This undoes what init set up in ${tree}. After that the gate no longer works here.`,
  removed: () => 'deleted: ',
  restored: () => 'restored: ',
  taken: () => 'our part removed: ',
  root: ({ root }: { root: string }) =>
    `${root} will no longer be registered, unless another checkout of it is prepared.`,
  more: () => 'Every line that changes: sekisho uninstall --dry-run',
  question: () => 'Uninstall?',
};

/** The texts around the question at a terminal. */
const asked = definePhrases(english, ja.asked);

function shownPlan(
  tree: string,
  { changes, changed }: { readonly changes: readonly Change[]; readonly changed: readonly string[] },
  root: Root | undefined,
  lang: Lang,
): string {
  const files = changes.map((one) => `  ${asked[whatOf(one, changed)]()(lang)}${one.path}`);
  const registered = root === undefined ? [] : [asked.root({ root: root.path })(lang)];
  return [asked.intro({ tree })(lang), ...files, ...registered, asked.more()(lang)].join('\n');
}

function whatOf({ path, after }: Change, changed: readonly string[]): 'removed' | 'taken' | 'restored' {
  if (after === undefined) return 'removed';
  return changed.includes(path) ? 'taken' : 'restored';
}

function summary(done: boolean, db: string, lang: Lang): string {
  return (done ? setupPhrase.uninstalled({ db }) : setupPhrase.nothingThere())(lang);
}
