import { printJson } from '../surface/terminal/print.ts';
import { configure } from '../app/configure.ts';
import { problem } from '../kernel/problem.ts';
import { personId, phrase } from '../user/person.ts';
import { listAccess, refuseRemoval, removePerson } from '../user/revoke.ts';
import { asPerson, deed } from './frame/as-person.ts';
import { type Command, exitCode } from './frame/command.ts';

/** Undoes `admin add-person`, at once and on every surface. */
export const adminRemovePerson: Command = {
  options: {},
  usage: 'sekisho admin remove-person <name>',
  examples: ['sekisho admin remove-person ann'],
  async run({ flags, json, positionals }) {
    const [name] = positionals;
    if (name === undefined) throw problem.WRONG_USE(adminRemovePerson);
    const config = await configure(flags);
    const removed = await asPerson(config, deed.removePeople(), async ({ store, by, agrees }) => {
      await refuseRemoval(store, name, config.user);
      const { tokens, sessions } = await listAccess(store, personId(name), by.now());
      const what = phrase.removePerson({ name, tokens: tokens.length, sessions: sessions.length });
      if (!(await agrees(what, phrase.confirmRemoval()))) return undefined;
      return removePerson(store, by, name);
    });
    if (removed !== undefined && json) printJson(removed);
    return removed === undefined ? exitCode.refused : exitCode.ok;
  },
};
