import { configure } from '../app/configure.ts';
import { stopDaemon } from '../daemon/process.ts';
import { daemonPhrase } from '../daemon/daemon-text.ts';
import { say, sayAside, printJson } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';

export const down: Command = {
  options: {},
  usage: 'sekisho down',
  examples: ['sekisho down'],
  async run({ flags, json }) {
    const config = await configure(flags);
    const stopped = await stopDaemon(config.place.data);
    if (json) printJson({ stopped: stopped === true });
    else if (stopped === undefined) sayAside(`${daemonPhrase.staysUp()(config.lang)}\n`);
    else say(`${(stopped ? daemonPhrase.down() : daemonPhrase.notRunning())(config.lang)}\n`);
    return stopped === undefined ? exitCode.unavailable : exitCode.ok;
  },
};
