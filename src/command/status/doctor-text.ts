import { definePhrases } from '../../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  ok: () => 'ok',
  bad: () => 'bad',
  configuration: () => 'configuration',
  state: () => 'state',
  token: () => 'token',
  people: () => 'people',
  counts: ({ key }: { key: string }) => `your decisions count here (user database ${key})`,
  countsNot: ({ key }: { key: string }) => `your decisions do not count here yet (user database ${key})`,
  admit: ({ key }: { key: string }) => `Someone whose decisions count here runs: sekisho admin admit ${key}`,
  database: () => 'database',
  currentRun: () => 'current run',
  processes: () => 'processes',
  defaults: () => 'defaults',
  none: () => 'none',
  correct: () => 'Correct it; docs/configuration.md has every key.',
  rows: ({ location, rows }: { location: string; rows: number }) => `${location}, ${rows} journal rows`,
  usable: () => 'all usable',
  lint: () => 'sekisho gate lint says what is wrong.',
  moved: ({ from, root }: { from: string; root: string }) =>
    `${from} was registered and is gone. If it was moved here: sekisho init '${root}' --moved-from '${from}'. If not: sekisho init`,
  stateOpen: ({ path }: { path: string }) => `Others can look into it: chmod 700 '${path}'`,
  tokenOpen: ({ path }: { path: string }) => `Others can read it: chmod 600 '${path}'`,
};

/** Names, findings and fixes of the checks of `doctor`. */
export const doctorText = definePhrases(english, ja.doctorText);
