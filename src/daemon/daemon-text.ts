import { definePhrases } from '../kernel/text/text.ts';
import type { Listener } from '../machine/listener.ts';

export const daemonPhrase = definePhrases({
  up: {
    en: ({ url, pid, again, log }: { url: string; pid: number; again: boolean; log: string }) =>
      `The daemon ${again ? 'runs already' : 'runs now'} at ${url} (process ${pid}). Its log: ${log}\nDashboard: sekisho open. To stop it: sekisho down.`,
    ja: ({ url, pid, again, log }) =>
      `デーモンは${again ? '既に' : ''} ${url} で動いています (プロセス ${pid})。ログ: ${log}\nダッシュボード: sekisho open、停止: sekisho down`,
  },
  otherPort: {
    en: ({ wanted, by, url }: { wanted: string; by: Listener | undefined; url: string }) =>
      `${wanted} is taken${by === undefined ? '' : ` by ${by.name} (process ${by.pid})`}, so the daemon uses ${url}. Clients and proxies that are set up for ${wanted} do not reach it. Stop the other program and run sekisho down, or set http.port to a free port.`,
    ja: ({ wanted, by, url }) =>
      `${wanted} は${by === undefined ? '使用中' : ` ${by.name} (プロセス ${by.pid}) が使用中`}のため、デーモンは ${url} を使います。${wanted} に接続するよう設定したクライアントやプロキシーからは接続できません。そのプログラムを停止して sekisho down を実行するか、http.port に空いているポートを設定してください。`,
  },
  down: { en: () => 'The daemon has stopped.', ja: () => 'デーモンを停止しました。' },
  notRunning: { en: () => 'No daemon runs.', ja: () => 'デーモンは動いていません。' },
  staysUp: {
    en: () => 'The daemon does not stop. Look at its log, or end its process yourself.',
    ja: () => 'デーモンが停止しません。ログを確認するか、プロセスを終了してください。',
  },
  opened: {
    en: ({ link }: { link: string }) => `If no browser opens, go there yourself within a minute (once):\n${link}`,
    ja: ({ link }) => `ブラウザーが開かない場合は、1 分以内にこのリンクを開いてください (一度だけ有効):\n${link}`,
  },
  linkFor: {
    en: ({ name }: { name: string }) =>
      `A link to the dashboard as "${name}": whoever opens it within a minute is that person there.`,
    ja: ({ name }) =>
      `「${name}」さんとしてダッシュボードを開くリンクです。1 分以内に開いた人がその人として扱われます。`,
  },
  makeLink: { en: () => 'Make this link?', ja: () => 'このリンクを作成しますか?' },
  endAll: {
    en: () => 'Every browser will be signed out of the dashboard.',
    ja: () => 'すべてのブラウザーがダッシュボードからサインアウトされます。',
  },
  endOne: {
    en: ({ id }: { id: string }) => `The browser session ${id} will be signed out.`,
    ja: ({ id }) => `ブラウザーのセッション ${id} をサインアウトします。`,
  },
  signOut: { en: () => 'Sign out?', ja: () => 'サインアウトしますか?' },
});
