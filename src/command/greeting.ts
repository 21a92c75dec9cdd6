import { definePhrases } from '../kernel/text.ts';
import type { Lang } from '../kernel/text.ts';
import { version } from '../kernel/version.ts';
import { style } from '../surface/terminal/style.ts';

export interface Greeting {
  readonly url: string;
  readonly tokenFile: string;
  readonly db: string | undefined;
  /** What `/mcp` alone means; undefined where it means none. */
  readonly root: string | undefined;
  readonly projects: readonly ServedProject[];
  readonly registered: string | undefined;
  /** To the dashboard, once and soon; only for whoever sits at this terminal. */
  readonly link: string | undefined;
  /** With what a client is configured by hand. */
  readonly configuration: boolean;
  readonly lang: Lang;
}

export interface ServedProject {
  readonly root: string;
  /** Clients that ask before each tool. */
  readonly clients: readonly string[];
  /** How many runs wait for a person; undefined where the store is away. */
  readonly waiting: number | undefined;
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
  hooks: {
    en: ({ clients }: { clients: string }) =>
      clients === '' ? 'no client asks yet: sekisho init' : `hooks: ${clients}`,
    ja: ({ clients }) =>
      clients === '' ? '問い合わせるクライアントはまだありません: sekisho init' : `フック: ${clients}`,
  },
  waiting: {
    en: ({ n }: { n: number }) => (n === 0 ? 'nothing waits for you' : `${n} wait for you: sekisho approve`),
    ja: ({ n }) => (n === 0 ? 'あなたを待っているものはありません' : `${n} 件があなたを待っています: sekisho approve`),
  },
  away: { en: () => 'its store is away: sekisho doctor', ja: () => 'ストアに接続できません: sekisho doctor' },
  dashboard: { en: () => 'Dashboard', ja: () => 'ダッシュボード' },
  more: {
    en: () => 'Rings: sekisho status. Client configuration: sekisho up --print-config. Ctrl-C stops it.',
    ja: () => '輪の状態: sekisho status、クライアントの設定: sekisho up --print-config、停止: Ctrl-C',
  },
});

/** What `sekisho up` says to a person who started it. */
export function greeting(told: Greeting): string {
  const { url, projects, registered, link, lang } = told;
  const lines = projects.flatMap(({ root, clients, waiting }) => [
    `  ${style.cyan(root)}`,
    `    ${phrase.hooks({ clients: clients.join(', ') })(lang)}`,
    `    ${(waiting === undefined ? phrase.away() : phrase.waiting({ n: waiting }))(lang)}`,
  ]);
  return [
    `${style.bold('関所 Sekisho')} ${version} ${phrase.listening({ url: style.cyan(url) })(lang)}`,
    '',
    ...(registered === undefined ? [] : [phrase.registered({ root: style.cyan(registered) })(lang), '']),
    phrase.projects()(lang),
    ...lines,
    phrase.dashboard()(lang),
    `  ${link ?? url}`,
    '  sekisho open',
    '',
    ...(told.configuration ? configurationLines(told) : []),
    style.dim(phrase.more()(lang)),
    '',
  ].join('\n');
}

function configurationLines({ url, tokenFile, db, projects, root = projects[0]?.root }: Greeting): readonly string[] {
  // Named, since another root may be registered tomorrow.
  const project = root === undefined ? '' : `?project=${encodeURIComponent(root).replaceAll('%2F', '/')}`;
  const client = {
    mcpServers: {
      sekisho: {
        type: 'http',
        url: `${url}/mcp${project}`,
        headers: { Authorization: 'Bearer ${SEKISHO_AGENT_TOKEN}' },
      },
    },
  };
  return [
    '.mcp.json:',
    JSON.stringify(client, null, 2),
    '',
    `export SEKISHO_AGENT_TOKEN="$(cat '${tokenFile}')"`,
    ...(db === undefined ? [] : [`SEKISHO_DB: ${db}`]),
    '',
  ];
}
