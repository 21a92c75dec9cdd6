import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import { type RestorePlan, carryOutRestore, planRestore } from '../app/restore.ts';
import type { Config } from '../config/load.ts';
import { databaseName } from '../base/database-name.ts';
import type { JsonObject } from '../base/json-object.ts';
import { problem } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';
import { print, printJson, say } from '../surface/terminal/print.ts';
import { askAtTerminal } from '../surface/terminal/question.ts';
import { renderAnswer } from '../surface/terminal/render.ts';
import { screenOf } from '../surface/terminal/screen.ts';
import { deed, requirePerson } from './frame/as-person.ts';
import { type Command, exitCode } from './frame/command.ts';
import * as ja from './ja.ts';
import { words } from './words.ts';

export const restore: Command = {
  options: { yes: { type: 'boolean' } },
  usage: 'sekisho restore <file> [--yes]',
  examples: [
    { line: 'sekisho restore ~/backups/today.backup', note: words('shows what would change, then asks') },
    {
      line: 'sekisho restore ~/backups/today.backup --db postgres://db.example.com/sekisho',
      note: words('into another database'),
    },
    { line: 'SEKISHO_TOKEN=… sekisho restore /backups/today.backup --yes', note: words('without a terminal') },
  ],
  async run({ flags, json, options, positionals: [name, ...rest] }) {
    if (name === undefined || rest.length > 0) throw problem.WRONG_USE(restore);
    const config = await configure(flags);
    const { lang } = config;
    const app = createApp(config);
    try {
      const actor = await requirePerson(app, deed.restore());
      // A person's token is a confirmation: its owner was asked when it was made.
      const agreed = options['yes'] === true && (await app.principal())?.person === true;
      const plan = await planRestore(config, resolve(name), actor);
      const shown = shownPlan(config, plan);
      if (!agreed && !config.terminal) {
        if (json) throw problem.RESTORE_UNCONFIRMED(undefined, shown);
        print(shown, { json, lang });
        throw problem.RESTORE_UNCONFIRMED();
      }
      // Rows that the backup's journal does not explain need a person at a terminal.
      if (agreed && plan.backup.faultCount > 0)
        throw problem.BACKUP_UNUSABLE({ file: plan.backup.file, reason: notAsJournal(plan.backup.faultCount) });
      if (!agreed && !(await askAtTerminal(questionText(config, plan, shown), said.question()(lang))))
        return exitCode.refused;
      const done = await carryOutRestore(config, plan);
      if (json) printJson({ ...shown, ...done, undo: done.undo ?? null });
      else
        say(
          `${[said.done({ seq: done.seq }), ...(done.undo === undefined ? [] : [said.undo({ file: done.undo })]), said.paused()].map((one) => one(lang)).join('\n')}\n`,
        );
      return exitCode.ok;
    } finally {
      await app.close();
    }
  },
};

/** The differences between backup and store, for people and programs. */
function shownPlan({ db }: Config, { backup, present }: RestorePlan): JsonObject {
  const { header, newestAt, rows } = backup;
  const tables = present?.tables ?? Object.entries(rows).map(([table, count]) => ({ table, now: 0, backup: count }));
  return {
    backup: {
      file: backup.file,
      made_at: header.made_at,
      program: header.program,
      from: header.location,
      entry: header.head.seq,
      entry_at: newestAt ?? null,
      faults: backup.faultCount,
    },
    store: { location: databaseName(db), entry: present?.head.seq ?? 0, entry_at: present?.newestAt ?? null },
    lost: present?.since ?? null,
    tables: tables.filter((one) => one.now !== one.backup),
  };
}

function questionText({ lang, project }: Config, { backup, present }: RestorePlan, shown: JsonObject): string {
  const isOther = present !== undefined && present.since === undefined && present.head.seq > 0;
  const isElsewhere = backup.projects.size > 0 && !backup.projects.has(project.key);
  const notes = [
    ...(isOther ? [said.otherHistory()] : []),
    ...(isElsewhere ? [said.otherKey({ key: project.key, keys: [...backup.projects].slice(0, 5) })] : []),
    ...(backup.faultCount > 0 ? [said.faults({ n: backup.faultCount })] : []),
    said.before(),
  ];
  // Text beside a question has no control characters, not even colours.
  const differences = stripVTControlCharacters(renderAnswer(shown, screenOf(lang)));
  return `${differences}\n${notes.map((one) => one(lang)).join('\n')}`;
}

function notAsJournal(n: number) {
  return {
    en: `${n} of its rows differ from its journal; restore it at a terminal, which shows them`,
    ja: `ジャーナルと一致しない行が ${n} 件あります。端末で確認しながら復元してください`,
  };
}

export const english = {
  question: () => 'Replace everything in the store with this backup?',
  before: () =>
    'The store is saved to a backup of its own first. Sessions and claims end, and no agent starts until: sekisho resume',
  otherHistory: () => 'The store is not a continuation of this backup: its whole history is replaced.',
  otherKey: ({ key, keys }: { key: string; keys: readonly string[] }) =>
    `Nothing in the backup belongs to this project (${key}), but to: ${keys.join(', ')}. Set projectKey in the configuration to see it here.`,
  faults: ({ n }: { n: number }) =>
    `${n} rows of the backup differ from its journal: the store or this file was changed by hand.`,
  done: ({ seq }: { seq: number }) => `Restored. The journal continues with entry ${seq}.`,
  undo: ({ file }: { file: string }) => `To undo it: sekisho restore ${file}`,
  paused: () => 'No agent starts until you have looked at it: sekisho status, then sekisho resume',
};

const said = definePhrases(english, ja.restore);
