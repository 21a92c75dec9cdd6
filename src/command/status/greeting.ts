import type { AgentCli } from '../../fleet/agent-cli.ts';
import { definePhrases } from '../../kernel/text/text.ts';
import { packagePath } from '../../base/package.ts';
import { version } from '../../base/version.ts';
import { wrap } from '../../surface/terminal/fit.ts';
import { shortRings } from './overview-view.ts';
import type { Screen } from '../../surface/terminal/screen.ts';
import { style } from '../../surface/terminal/style.ts';
import type { ServedProject } from './served-project.ts';
import * as ja from './ja.ts';

export interface Greeting {
  readonly url: string;
  /** The dashboard's address. For a person at this terminal it signs in, once and for a short time. */
  readonly link: string;
  readonly hasProjects: boolean;
}

/** The values for configuring a client by hand. */
export interface ByHand {
  readonly url: string;
  readonly tokenFile: string;
  readonly db: string | undefined;
  /** The project that the printed address names; undefined: none. */
  readonly root: string | undefined;
  /** The clients to print for; each has its own file format. */
  readonly clients: readonly AgentCli[];
}

export const english = {
  listening: ({ url }: { url: string }) => `is listening on ${url}`,
  projects: () => 'Projects',
  waiting: ({ n }: { n: number }) => (n === 0 ? 'nothing waits for you' : `${n} wait for you: sekisho approve`),
  dashboard: () => 'Dashboard',
  noProject: () => 'No project is registered yet. To begin:',
  more: () => 'Each ring: sekisho status --rings. Client configuration: sekisho up --print-config.',
  stop: () => 'Ctrl-C stops it.',
};

const phrase = definePhrases(english, ja.greeting);

/** The first lines of `sekisho up`. Projects follow one by one, because trying their rings takes a while. */
export function greeting({ url, link, hasProjects }: Greeting, screen: Screen): string {
  const { lang, width } = screen;
  return lines([
    ...wrap(`${style.bold('関所 Sekisho')} ${version} ${phrase.listening({ url: style.cyan(url) })(lang)}`, width),
    '',
    phrase.dashboard()(lang),
    // Not wrapped, so that it can be clicked.
    `  ${link}`,
    '  sekisho open',
    '',
    ...(hasProjects ? [phrase.projects()(lang)] : [firstSteps(screen)]),
  ]);
}

/** How to begin where no project is registered. The dashboard's `NoProject` has the same steps. */
export function firstSteps({ lang, width }: Screen): string {
  const steps = [
    `export PATH="${packagePath('bin')}:$PATH"`,
    'sekisho demo',
    'cd your-project && sekisho init --client claude',
  ];
  return [...wrap(phrase.noProject()(lang), width), ...steps.map((one, at) => `  ${at + 1}. ${style.cyan(one)}`)].join(
    '\n',
  );
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

export function farewell(hasProjects: boolean, { lang, width }: Screen): string {
  const hints = [...(hasProjects ? [phrase.more()] : []), phrase.stop()];
  return lines(['', ...hints.flatMap((one) => wrap(one(lang), width)).map((one) => style.dim(one))]);
}

/** Client configuration to copy, so it is not wrapped. */
export function configurationLines({ url, tokenFile, db, root, clients }: ByHand): string {
  // The project is named, because another root may be registered later.
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
