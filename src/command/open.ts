import { configure } from '../app/configure.ts';
import { daemonPhrase } from '../daemon/daemon-text.ts';
import { linkTo } from '../daemon/dashboard-login.ts';
import { openInBrowser } from '../machine/browser.ts';
import { listPeople, personId, problem } from '../user/person.ts';
import { createLinkCode } from '../user/session.ts';
import { asPerson, deed } from './frame/as-person.ts';
import { say, printJson } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { needDaemon } from './frame/needed-daemon.ts';

/** Signs a browser in with a link that works once, for a minute. */
export const open: Command = {
  options: { print: { type: 'boolean' }, person: { type: 'string' } },
  usage: 'sekisho open [--print] [--person NAME]',
  examples: ['sekisho open', 'sekisho open --print', 'sekisho open --person ann --print'],
  async run({ flags, json, options }) {
    const config = await configure(flags);
    const { data } = config.place;
    const name = options['person'];
    const code = await asPerson(config, deed.openDashboard(), async ({ store, by, agrees }) => {
      if (typeof name !== 'string') return createLinkCode(store, by, by.actor.id);
      const known = await listPeople(store);
      if (!known.includes(name)) throw problem.PERSON_NOT_FOUND({ name, known });
      const agreed = await agrees(daemonPhrase.linkFor({ name }), daemonPhrase.makeLink());
      return agreed ? createLinkCode(store, by, personId(name)) : undefined;
    });
    if (code === undefined) return exitCode.refused;
    const daemon = await needDaemon(config);
    const link = linkTo(daemon.page, code);
    if (json) printJson({ link });
    else if (options['print'] === true) process.stdout.write(`${link}\n`);
    else {
      await openInBrowser(link, data.state, config.environment);
      say(`${daemonPhrase.opened({ link })(config.lang)}\n`);
    }
    return exitCode.ok;
  },
};
