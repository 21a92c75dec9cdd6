import { admitKey, dismissKey, ownUserKey, readAdmitted } from '../app/user/admitted.ts';
import { withApp } from './frame/with-app.ts';
import { personNeeded, problem } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';
import { print } from '../surface/terminal/print.ts';
import { askAtTerminal } from '../surface/terminal/question.ts';
import { isUserKey } from '../user/key.ts';
import { deed } from './frame/as-person.ts';
import { type Command, exitCode } from './frame/command.ts';
import * as ja from './ja.ts';
import { words } from './words.ts';

/** Edits the list of user databases whose people may decide in a project's store. A user database has a key. */
export const adminAdmit: Command = {
  options: { remove: { type: 'boolean' } },
  usage: 'sekisho admin admit [<key>] [--remove]',
  examples: [
    { line: 'sekisho admin admit', note: words('lists the keys') },
    'sekisho admin admit 3f2a90c1d4e5a7b8c9d0',
    { line: 'sekisho admin admit 3f2a90c1d4e5a7b8c9d0 --remove', note: words('their decisions no longer count') },
  ],
  async run({ flags, json, options, positionals: [key, ...rest] }) {
    const removes = options['remove'] === true;
    if (rest.length > 0 || (key === undefined && removes)) throw problem.WRONG_USE(adminAdmit);
    return withApp(flags, async (app) => {
      const { config } = app;
      const { lang } = config;
      const context = await app.context({});
      if (!context.actor.person) throw personNeeded(context.actor, deed.admitPeople());
      const { store, actor } = context;
      const own = actor.userDatabase ?? (await ownUserKey(config));
      if (key !== undefined) {
        const bad = keyFault(key, own, await readAdmitted(store), removes);
        if (bad !== undefined) throw problem.VALIDATION_ERROR({ errors: [{ path: '/key', message: bad()(lang) }] });
        const [text, question] = removes ? [said.removing, said.remove] : [said.admitting, said.admit];
        if (config.terminal && !(await askAtTerminal(text({ key })(lang), question()(lang)))) return exitCode.refused;
        await (removes ? dismissKey : admitKey)(store, context, key);
      }
      print({ own, admitted: await readAdmitted(store) }, { json, lang });
      return exitCode.ok;
    });
  },
};

function keyFault(key: string, own: string, admitted: readonly string[], removes: boolean) {
  if (!isUserKey(key)) return said.noKey;
  if (!removes) return admitted.includes(key) ? said.already : undefined;
  if (key === own) return said.ownKey;
  return admitted.includes(key) ? undefined : said.unknown;
}

export const english = {
  admitting: ({ key }: { key: string }) =>
    `The people of the user database ${key} can then decide here like you: approve, reject, trust, admit others. Admit only a key that its owner told you.`,
  admit: () => 'Admit them?',
  removing: ({ key }: { key: string }) =>
    `The people of the user database ${key} can no longer decide here. Their past decisions stay in the history.`,
  remove: () => 'Remove them?',
  noKey: () => 'a key has 20 digits and letters from a to f; a refused command shows it',
  already: () => 'it is admitted already',
  unknown: () => 'it is not admitted',
  ownKey: () => 'it is your own; another admitted person can remove it',
};

const said = definePhrases(english, ja.adminAdmit);
