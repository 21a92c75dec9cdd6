import type { AgentCli } from '../../fleet/agent-cli.ts';
import { definePhrases } from '../../kernel/text/text.ts';
import { version } from '../../base/version.ts';
import { wrap } from '../../surface/terminal/fit.ts';
import { shortRings } from './overview-view.ts';
import type { Screen } from '../../surface/terminal/screen.ts';
import { style } from '../../surface/terminal/style.ts';
import type { ServedProject } from './served-project.ts';
import * as ja from './ja.ts';

export interface Greeting {
  readonly url: string;
  readonly registered: string | undefined;
  /** To the dashboard: one that signs in, once and soon, only for whoever sits at this terminal. */
  readonly link: string;
}

/** With what a client is configured by hand. */
export interface ByHand {
  readonly url: string;
  readonly tokenFile: string;
  readonly db: string | undefined;
  /** What `/mcp` alone means; undefined where it means none. */
  readonly root: string | undefined;
  /** Each has a form of its own. */
  readonly clients: readonly AgentCli[];
}

export const english = {
  listening: ({ url }: { url: string }) => `is listening on ${url}`,
  registered: ({ root }: { root: string }) => `No project was registered yet, so this folder is one now: ${root}`,
  projects: () => 'Projects',
  waiting: ({ n }: { n: number }) => (n === 0 ? 'nothing waits for you' : `${n} wait for you: sekisho approve`),
  dashboard: () => 'Dashboard',
  more: () => 'Each ring: sekisho status --rings. Client configuration: sekisho up --print-config. Ctrl-C stops it.',
};

const phrase = definePhrases(english, ja.greeting);

/** What `sekisho up` says at once to a person who started it. The projects follow, one by one: their rings are tried. */
export function greeting({ url, registered, link }: Greeting, { lang, width }: Screen): string {
  return lines([
    ...wrap(`${style.bold('関所 Sekisho')} ${version} ${phrase.listening({ url: style.cyan(url) })(lang)}`, width),
    '',
    ...(registered === undefined
      ? []
      : [...wrap(phrase.registered({ root: style.cyan(registered) })(lang), width), '']),
    phrase.dashboard()(lang),
    // In one piece, to be clicked.
    `  ${link}`,
    '  sekisho open',
    '',
    phrase.projects()(lang),
  ]);
}

export function projectLines({ root, rings, waiting }: ServedProject, screen: Screen): string {
  const { lang, width } = screen;
  const inner = { ...screen, width: width - 4 };
  const said = [
    ...shortRings(rings, inner),
    ...(waiting === undefined ? [] : wrap(phrase.waiting({ n: waiting })(lang), inner.width)),
  ];
  return lines([...wrap(root, width - 2).map((one) => `  ${style.cyan(one)}`), ...said.map((one) => `    ${one}`)]);
}

export function farewell({ lang, width }: Screen): string {
  return lines(['', ...wrap(phrase.more()(lang), width).map((one) => style.dim(one))]);
}

/** To be copied, so as it is. */
export function configurationLines({ url, tokenFile, db, root, clients }: ByHand): string {
  // Named, since another root may be registered tomorrow.
  const project = root === undefined ? '' : `?project=${encodeURIComponent(root).replaceAll('%2F', '/')}`;
  const variable = 'SEKISHO_AGENT_TOKEN';
  const blocks = clients.flatMap((client) => {
    const found = client.remoteServer?.(`${url}/mcp${project}`, variable);
    return found === undefined ? [] : ['', `${client.id}, ${found.file}:`, found.text];
  });
  return lines([
    ...blocks,
    '',
    `export ${variable}="$(cat '${tokenFile}')"`,
    ...(db === undefined ? [] : [`SEKISHO_DB: ${db}`]),
  ]);
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
