import { configure } from '../app/configure.ts';
import {
  createPersonToken,
  findPersonToken,
  listPeople,
  listPersonTokens,
  personId,
  phrase,
  problem,
} from '../user/person.ts';
import { listAccess, revokePersonToken } from '../user/revoke.ts';
import { print, sayAside, printJson } from '../surface/terminal/print.ts';
import { asPerson, deed } from './frame/as-person.ts';
import { type Command, exitCode } from './frame/command.ts';
import { problem as everywhere } from '../kernel/problem.ts';

const create: Command = {
  options: { person: { type: 'string' } },
  usage: 'sekisho token create [--person NAME]',
  examples: ['sekisho token create', 'sekisho token create --person ann'],
  async run({ flags, json, options }) {
    const config = await configure(flags);
    const name = options['person'];
    const made = await asPerson(config, deed.makeTokens(), async ({ store, by, agrees }) => {
      const known = await listPeople(store);
      if (typeof name === 'string' && !known.includes(name)) throw problem.PERSON_NOT_FOUND({ name, known });
      const identity = typeof name === 'string' ? personId(name) : `os:${config.user}`;
      if (!(await agrees(phrase.newToken({ identity }), phrase.createToken()))) return undefined;
      return { identity, token: await createPersonToken(store, by, identity) };
    });
    if (made === undefined) return exitCode.refused;
    process.stdout.write(json ? `${JSON.stringify(made)}\n` : `${made.token}\n`);
    if (!json) sayAside(`${phrase.shownOnce()(config.lang)}\n`);
    return exitCode.ok;
  },
};

const list: Command = {
  options: {},
  usage: 'sekisho token list',
  examples: ['sekisho token list'],
  async run({ flags, json }) {
    const config = await configure(flags);
    const answer = await asPerson(config, deed.seeTokens(), async ({ store }) => ({
      tokens: await listPersonTokens(store),
      people: await listPeople(store),
    }));
    print(answer, { json, lang: config.lang });
    return exitCode.ok;
  },
};

const revoke: Command = {
  options: { sessions: { type: 'boolean' } },
  usage: 'sekisho token revoke <id> [--sessions]',
  examples: ['sekisho token revoke 3f2a90c1d4e5', 'sekisho token revoke 3f2a90c1d4e5 --sessions'],
  async run({ flags, json, options, positionals }) {
    const [id] = positionals;
    if (id === undefined) throw everywhere.WRONG_USE(revoke);
    const config = await configure(flags);
    const done = await asPerson(config, deed.revokeTokens(), async ({ store, by, agrees }) => {
      const { identity } = await findPersonToken(store, id);
      if (!(await agrees(phrase.revoke({ id }), phrase.revokeToken()))) return undefined;
      const { sessions } = await listAccess(store, identity, by.now());
      const open = phrase.openSessions({ identity, sessions: sessions.length });
      const endSessions =
        options['sessions'] === true ||
        (config.terminal && sessions.length > 0 && (await agrees(open, phrase.endSessions())));
      return { identity, ...(await revokePersonToken(store, by, id, { endSessions })) };
    });
    if (done === undefined) return exitCode.refused;
    const { identity, ...answer } = done;
    if (json) printJson(answer);
    else if (answer.sessions_ended > 0)
      sayAside(`${phrase.sessionsEnded({ sessions: answer.sessions_ended })(config.lang)}\n`);
    else if (answer.sessions_left > 0) {
      const left = phrase.openSessions({ identity, sessions: answer.sessions_left });
      sayAside(`${left(config.lang)}\n${phrase.endSessionsLater()(config.lang)}\n`);
    }
    return exitCode.ok;
  },
};

export const tokenCommands = { create, list, revoke };
