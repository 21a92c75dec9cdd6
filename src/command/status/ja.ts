import type { Japanese } from '../../kernel/text/text.ts';
import type { english as doctorTextEnglish } from './doctor-text.ts';
import type { english as greetingEnglish } from './greeting.ts';
import type { english as overviewPhraseEnglish } from './overview-text.ts';

export const doctorText: Japanese<typeof doctorTextEnglish> = {
  ok: () => '正常',
  bad: () => '異常',
  configuration: () => '設定',
  state: () => '状態フォルダー',
  token: () => 'トークン',
  people: () => '人',
  counts: ({ key }) => `あなたの判断はここで有効です (ユーザーデータベース ${key})`,
  countsNot: ({ key }) => `あなたの判断はここではまだ有効ではありません (ユーザーデータベース ${key})`,
  admit: ({ key }) => `すでに登録されている人が次のコマンドを実行します: sekisho admin admit ${key}`,
  database: () => 'データベース',
  currentRun: () => '現在の run',
  processes: () => 'プロセス',
  defaults: () => '既定値',
  none: () => 'なし',
  correct: () => '直してください。キーの一覧は docs/ja/configuration.md にあります。',
  rows: ({ location, rows }) => `${location} (ジャーナル ${rows} 行)`,
  usable: () => 'すべて使えます',
  lint: () => 'sekisho gate lint で誤りを確認できます。',
  moved: ({ from, root }) =>
    `登録されていた ${from} がありません。ここへ移した場合: sekisho init '${root}' --moved-from '${from}'。そうでない場合: sekisho init`,
  stateOpen: ({ path }) => `ほかの人も見られます: chmod 700 '${path}'`,
  tokenOpen: ({ path }) => `ほかの人も読めます: chmod 600 '${path}'`,
};

export const greeting: Japanese<typeof greetingEnglish> = {
  listening: ({ url }) => `${url} で待ち受けています`,
  projects: () => 'プロジェクト',
  waiting: ({ n }) =>
    n === 0 ? 'あなたを待っているものはありません' : `${n} 件があなたを待っています: sekisho approve`,
  dashboard: () => 'ダッシュボード',
  noProject: () => 'プロジェクトがまだ登録されていません。始めるには:',
  more: () => 'リングの詳細: sekisho status --rings、クライアントの設定: sekisho up --print-config',
  stop: () => '停止: Ctrl-C',
};

export const overviewPhrase: Japanese<typeof overviewPhraseEnglish> = {
  project: () => 'プロジェクト',
  rings: () => 'リング',
  run: () => 'run',
  waiting: () => '対応待ち',
  agents: () => 'エージェント',
  tasks: () => 'タスク',
  next: () => '次のコマンド',
  begin: ({ clients }) =>
    `または、ここで ${clients.join(' か ')} を起動して「Sekisho の run を始めて: <やること>」と伝えてください`,
  on: ({ names }) => `有効: ${names}`,
  off: ({ names }) => `無効: ${names}`,
  unknown: ({ names }) => `未確認: ${names}`,
  hooksOn: ({ clients }) => `リング 1 (フック): ここで有効: ${clients}`,
  hooksOff: ({ client, found }) => `リング 1 (フック): ここでは無効: ${client}: ${found}`,
  hooksNone: () => 'リング 1 (フック): ここでは無効: クライアントが未設定です → sekisho init',
  more: () => '詳しくは sekisho status --rings',
  noRun: () => '進行中のものはありません',
  missing: () => '足りないもの:',
  nothingMissing: () => '足りないものはありません',
  binds: () => 'ここのエージェントが従う run:',
  nothingWaits: () => 'あなたを待っているものはありません',
  noAgents: () => '動いているものはありません',
  noTasks: () => '始められるものはありません',
  others: ({ n }) => `ほか ${n} 件`,
  live: () => 'Ctrl-C で終わります。',
  fresh: ({ folder }) =>
    `${folder} はまだ Sekisho のプロジェクトではありません。sekisho init で準備できます。エージェントのクライアントとテストを見つけ、書き込む内容を表示します。`,
  prepare: () => '今すぐ sekisho init を実行しますか?',
  tryDemo: () => 'sekisho demo を実行すると、何ができるかを 2 分で確かめられます。後には何も残りません。',
};
