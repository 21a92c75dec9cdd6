import type { Japanese } from '../kernel/text/text.ts';
import type { english as daemonPhraseEnglish } from './daemon-text.ts';

export const daemonPhrase: Japanese<typeof daemonPhraseEnglish> = {
  up: ({ url, pid, again, log }) =>
    `デーモンは${again ? '既に' : ''} ${url} で動いています (プロセス ${pid})。ログ: ${log}\nダッシュボード: sekisho open、停止: sekisho down`,
  otherPort: ({ wanted, by, url }) =>
    `${wanted} は${by === undefined ? '使用中' : ` ${by.name} (プロセス ${by.pid}) が使用中`}のため、デーモンは ${url} を使います。${wanted} に接続するよう設定したクライアントやプロキシーからは接続できません。そのプログラムを停止して sekisho down を実行するか、http.port に空いているポートを設定してください。`,
  down: () => 'デーモンを停止しました。',
  notRunning: () => 'デーモンは動いていません。',
  staysUp: () => 'デーモンが停止しません。ログを確認するか、プロセスを終了してください。',
  opened: ({ link }) => `ブラウザーが開かない場合は、1 分以内にこのリンクを開いてください (一度だけ有効):\n${link}`,
  linkFor: ({ name }) =>
    `「${name}」さんとしてダッシュボードを開くリンクです。1 分以内に開いた人がその人として扱われます。`,
  makeLink: () => 'このリンクを作成しますか?',
  endAll: () => 'すべてのブラウザーがダッシュボードからサインアウトされます。',
  endOne: ({ id }) => `ブラウザーのセッション ${id} をサインアウトします。`,
  signOut: () => 'サインアウトしますか?',
};
