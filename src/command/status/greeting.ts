import type { AgentCli } from '../../fleet/agent-cli.ts';
import { definePhrases } from '../../kernel/text/text.ts';
import { version } from '../../base/version.ts';
import { wrap } from '../../surface/terminal/fit.ts';
import { shortRings } from './overview-view.ts';
import type { Screen } from '../../surface/terminal/screen.ts';
import { style } from '../../surface/terminal/style.ts';
import type { ServedProject } from './served-project.ts';

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

const phrase = definePhrases({
  listening: {
    en: ({ url }: { url: string }) => `is listening on ${url}`,
    ja: ({ url }) => `${url} で待ち受けています`,
  },
  registered: {
    en: ({ root }: { root: string }) => `No project was registered yet, so this folder is one now: ${root}`,
    ja: ({ root }) => `登録済みのプロジェクトがなかったため、このフォルダーを登録しました: ${root}`,
  },
  projects: { en: () => 'Projects', ja: () => 'プロジェクト' },
  waiting: {
    en: ({ n }: { n: number }) => (n === 0 ? 'nothing waits for you' : `${n} wait for you: sekisho approve`),
    ja: ({ n }) => (n === 0 ? 'あなたを待っているものはありません' : `${n} 件があなたを待っています: sekisho approve`),
  },
  dashboard: { en: () => 'Dashboard', ja: () => 'ダッシュボード' },
  more: {
    en: () => 'Each ring: sekisho status --rings. Client configuration: sekisho up --print-config. Ctrl-C stops it.',
    ja: () => '輪の詳細: sekisho status --rings、クライアントの設定: sekisho up --print-config、停止: Ctrl-C',
  },
});

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
