import { resolve } from 'node:path';
import { isBelow } from '../base/path.ts';
import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import { tables } from '../app/tables.ts';
import { problem } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';
import { type BackupSummary, openSnapshot, writeBackup } from '../store/backup.ts';
import { print, sayAside } from '../surface/terminal/print.ts';
import { deed, requirePerson } from './frame/as-person.ts';
import { type Command, exitCode } from './frame/command.ts';
import * as ja from './ja.ts';
import { words } from './words.ts';

export const backup: Command = {
  options: { force: { type: 'boolean' } },
  usage: 'sekisho backup <file> [--force]',
  examples: [
    'sekisho backup ~/backups/today.backup',
    { line: 'sekisho backup ~/backups/latest.backup --force', note: words('replaces the file of that name') },
  ],
  async run({ flags, json, options, positionals: [name, ...rest] }) {
    if (name === undefined || rest.length > 0) throw problem.WRONG_USE(backup);
    const config = await configure(flags);
    const { lang } = config;
    const app = createApp(config);
    try {
      await requirePerson(app, deed.backUp());
      // Opening it here refuses a lost store; a backup must not create an empty one.
      await app.store();
      const begun = Date.now();
      const made = await backUp(config.db, resolve(name), options['force'] === true);
      const { file, bytes, rows, header, faultCount } = made;
      const { head, schema, made_at } = header;
      const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
      print(
        { file, bytes, rows: count, head, schema, made_at, took_ms: Date.now() - begun, faults: faultCount },
        { json, lang },
      );
      if (faultCount > 0) sayAside(`${said.faults({ n: faultCount })(lang)}\n`);
      else if (isBelow(file, config.place.root)) sayAside(`${said.inProject()(lang)}\n`);
      return faultCount > 0 ? exitCode.refused : exitCode.ok;
    } finally {
      await app.close();
    }
  },
};

async function backUp(db: string, file: string, force: boolean): Promise<BackupSummary> {
  const snapshot = await openSnapshot(db, tables);
  try {
    return await writeBackup(snapshot, file, tables, { force });
  } finally {
    await snapshot.close();
  }
}

export const english = {
  faults: ({ n }: { n: number }) =>
    `The file is complete, but the store differs from its journal in ${n} places, and did so before the backup: sekisho journal verify`,
  inProject: () => 'The file is in the project, where agents can read it. Keep backups elsewhere.',
};

const said = definePhrases(english, ja.backup);
