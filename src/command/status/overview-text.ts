import { definePhrases } from '../../kernel/text/text.ts';

export const overviewPhrase = definePhrases({
  project: { en: () => 'Project', ja: () => 'プロジェクト' },
  rings: { en: () => 'Rings', ja: () => '輪' },
  run: { en: () => 'Run', ja: () => 'run' },
  waiting: { en: () => 'For you', ja: () => 'あなた待ち' },
  agents: { en: () => 'Agents', ja: () => 'エージェント' },
  tasks: { en: () => 'Tasks', ja: () => 'タスク' },
  next: { en: () => 'Next', ja: () => '次の一手' },
  begin: {
    en: ({ clients }: { clients: readonly string[] }) =>
      `or start ${clients.join(' or ')} here and say: Start a Sekisho run: <goal>`,
    ja: ({ clients }) =>
      `または、ここで ${clients.join(' か ')} を起動して「Sekisho の run を始めて: <やること>」と伝えてください`,
  },
  on: { en: ({ names }: { names: string }) => `on: ${names}`, ja: ({ names }) => `有効: ${names}` },
  off: { en: ({ names }: { names: string }) => `off: ${names}`, ja: ({ names }) => `無効: ${names}` },
  unknown: {
    en: ({ names }: { names: string }) => `nobody can tell yet: ${names}`,
    ja: ({ names }) => `まだ分かりません: ${names}`,
  },
  hooksOn: {
    en: ({ clients }: { clients: string }) => `ring 1 (hooks): on here for ${clients}`,
    ja: ({ clients }) => `ring 1 (フック): ここで有効: ${clients}`,
  },
  hooksOff: {
    en: ({ client, found }: { client: string; found: string }) => `ring 1 (hooks): off here for ${client}: ${found}`,
    ja: ({ client, found }) => `ring 1 (フック): ここでは無効: ${client}: ${found}`,
  },
  hooksNone: {
    en: () => 'ring 1 (hooks): off here: no client is prepared → sekisho init',
    ja: () => 'ring 1 (フック): ここでは無効: クライアントが未設定です → sekisho init',
  },
  more: { en: () => 'sekisho status --rings explains each', ja: () => '詳しくは sekisho status --rings' },
  noRun: { en: () => 'none is open', ja: () => '進行中のものはありません' },
  missing: { en: () => 'missing:', ja: () => '足りないもの:' },
  nothingMissing: { en: () => 'nothing is missing', ja: () => '足りないものはありません' },
  binds: { en: () => 'binds agents here:', ja: () => 'ここのエージェントが従う run:' },
  nothingWaits: { en: () => 'nothing waits for you', ja: () => 'あなたを待っているものはありません' },
  noAgents: { en: () => 'none is running', ja: () => '動いているものはありません' },
  noTasks: { en: () => 'none is ready', ja: () => '始められるものはありません' },
  others: { en: ({ n }: { n: number }) => `and ${n} more`, ja: ({ n }) => `ほか ${n} 件` },
  live: { en: () => 'Ctrl-C ends it.', ja: () => 'Ctrl-C で終わります。' },
  fresh: {
    en: ({ folder }: { folder: string }) =>
      `${folder} is no Sekisho project yet. sekisho init makes it one: it finds your agent clients and your tests, and shows what it writes.`,
    ja: ({ folder }) =>
      `${folder} はまだ Sekisho のプロジェクトではありません。sekisho init で準備できます。エージェントのクライアントとテストを見つけ、書き込む内容を表示します。`,
  },
  prepare: { en: () => 'Run sekisho init now?', ja: () => '今すぐ sekisho init を実行しますか?' },
  tryDemo: {
    en: () => 'sekisho demo shows in two minutes what it does, and leaves nothing behind.',
    ja: () => 'sekisho demo を実行すると、何ができるかを 2 分で確かめられます。後には何も残りません。',
  },
});
