import { configure } from '../app/configure.ts';
import { problem } from '../kernel/problem.ts';
import { addPerson, createPersonToken, personId, phrase } from '../user/person.ts';
import { asPerson, deed } from './frame/as-person.ts';
import { sayAside } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { inLang } from '../kernel/text/text.ts';
import { words } from './words.ts';

/** Adds a person beside the operating-system user, such as a second approver. */
export const adminAddPerson: Command = {
  options: {},
  usage: 'sekisho admin add-person <name>',
  examples: ['sekisho admin add-person ann'],
  async run({ flags, json, positionals }) {
    const [name] = positionals;
    if (name === undefined) throw problem.WRONG_USE(adminAddPerson);
    const config = await configure(flags);
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
      throw problem.VALIDATION_ERROR({
        errors: [
          {
            path: '/name',
            message: inLang(words('letters, digits, dot, dash and underscore, at most 64'), config.lang),
          },
        ],
      });
    const made = await asPerson(config, deed.addPeople(), async ({ store, by, agrees }) => {
      if (!(await agrees(phrase.newPerson({ name }), phrase.addPerson()))) return undefined;
      await addPerson(store, by, name);
      return { person: name, identity: personId(name), token: await createPersonToken(store, by, personId(name)) };
    });
    if (made === undefined) return exitCode.refused;
    process.stdout.write(json ? `${JSON.stringify(made)}\n` : `${made.token}\n`);
    if (!json) sayAside(`${phrase.shownOnce()(config.lang)}\n`);
    return exitCode.ok;
  },
};
