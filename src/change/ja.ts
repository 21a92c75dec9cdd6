import type { Japanese } from '../kernel/text/text.ts';
import type { english } from './phrase.ts';

export const words = { 'a path inside of the project': 'プロジェクト内のパス' } as const;

export const phrase: Japanese<typeof english> = {
  noRepository: ({ path }) =>
    `isolation: worktree には、コミットのある git リポジトリが必要ですが、${path} にはありません。先にコミットするか、isolation: none にしてください。`,
  detached: () =>
    'メインのチェックアウトがどのブランチにもないため (detached HEAD)、作業の起点が決まりません。ブランチをチェックアウトするか、.sekisho/config.yaml で land: { target: main } を設定してください',
  noTarget: ({ target }) =>
    `ブランチ「${target}」がないか、コミットがありません。作成するか、.sekisho/config.yaml の land.target を変更してください`,
  setupFailed: ({ command, outcome, output }) =>
    `ツリーを準備できませんでした: ${command} ${outcome}。これは .sekisho/config.yaml の worktree.setup です。出力の末尾:\n${output}`,
  setupExit: ({ code }) => `が終了コード ${code} で終了しました`,
  setupTimeout: ({ minutes }) => `が ${minutes} 分以内に終わりませんでした`,
  setupRefused: ({ reason }) => `を起動できませんでした (${reason})`,
  nothingToCopy: ({ path }) => `worktree.copy または worktree.link に指定された ${path} がありません`,
};
