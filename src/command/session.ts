import { configure } from '../app/configure.ts';
import { daemonPhrase } from '../daemon/daemon-text.ts';
import { print, printJson } from '../surface/terminal/print.ts';
import { endAllSessions, endSession, listSessions } from '../user/session.ts';
import { asPerson, deed } from './frame/as-person.ts';
import { type Command, exitCode } from './frame/command.ts';
import { problem } from '../kernel/problem.ts';

const list: Command = {
  options: {},
  usage: 'sekisho session list',
  examples: ['sekisho session list'],
  async run({ flags, json }) {
    const config = await configure(flags);
    const answer = await asPerson(config, deed.seeSessions(), async ({ store, by }) => ({
      sessions: await listSessions(store, by.now()),
    }));
    print(answer, { json, lang: config.lang });
    return exitCode.ok;
  },
};

const revoke: Command = {
  options: { all: { type: 'boolean' } },
  usage: 'sekisho session revoke <id> | --all',
  examples: ['sekisho session revoke 3f2a90c1d4e5', 'sekisho session revoke --all'],
  async run({ flags, json, options, positionals }) {
    const [id] = positionals;
    const all = options['all'] === true;
    if (all === (id !== undefined)) throw problem.WRONG_USE(revoke);
    const config = await configure(flags);
    const revoked = await asPerson(config, deed.signOut(), async ({ store, by, agrees }) => {
      const text = id === undefined ? daemonPhrase.endAll() : daemonPhrase.endOne({ id });
      if (!(await agrees(text, daemonPhrase.signOut()))) return undefined;
      if (id === undefined) return endAllSessions(store, by);
      await endSession(store, by, id);
      return 1;
    });
    if (revoked !== undefined && json) printJson({ revoked });
    return revoked === undefined ? exitCode.refused : exitCode.ok;
  },
};

export const sessionCommands = { list, revoke };
