import { definePhrases } from '../kernel/text/text.ts';
import type { Toolset } from '../kernel/toolset.ts';

/** What a person is asked when a project is set up. */
export const setupQuestion = definePhrases({
  folder: {
    en: () => 'Which folder is the project?',
    ja: () => 'どのフォルダーをプロジェクトにしますか?',
  },
  clients: {
    en: ({ others }: { others: readonly string[] }) =>
      `Which clients do you use here? (Space: choose, Enter: go on)${others.length === 0 ? '' : `\nNot found on this machine: ${others.join(', ')}`}`,
    ja: ({ others }) =>
      `ここで使うクライアントは? (スペース: 選択、Enter: 次へ)${others.length === 0 ? '' : `\nこのマシンにないもの: ${others.join(', ')}`}`,
  },
  noClients: {
    en: ({ others }: { others: readonly string[] }) =>
      `No client was found on this machine. Sekisho knows ${others.join(', ')}. Once you have one: sekisho init --client NAME`,
    ja: ({ others }) =>
      `このマシンにクライアントが見つかりません。対応しているのは ${others.join(', ')} です。インストール後に: sekisho init --client 名前`,
  },
  prepared: { en: () => 'prepared already', ja: () => '準備済み' },
  write: { en: () => 'Write these files?', ja: () => 'これらのファイルに書き込みますか?' },
  toolsets: {
    en: () => 'Which tools do agents see? (Space: choose, Enter: go on)',
    ja: () => 'エージェントにどのツールを見せますか? (スペース: 選択、Enter: 次へ)',
  },
  process: {
    en: () => 'Which process does work follow, unless you say otherwise?',
    ja: () => '特に指定がないとき、作業はどのプロセスに従いますか?',
  },
  test: {
    en: () => 'What runs the tests? (Started without a shell; empty: nothing yet)',
    ja: () => 'テストは何で実行しますか? (シェルなしで実行、空欄: まだ決めない)',
  },
  noShell: {
    en: () => 'It is started without a shell: put pipes, && and variables into a script and name that.',
    ja: () => 'シェルを介さず実行します。パイプ、&&、変数はスクリプトに書き、その名前を指定してください。',
  },
  canceled: { en: () => 'Nothing was changed.', ja: () => '何も変更していません。' },
});

/** One line each, beside its name. */
export const toolsetHint = definePhrases({
  gate: { en: () => 'runs of a process, evidence, approval', ja: () => 'プロセスの run、証拠、承認' },
  upstream: { en: () => 'other MCP servers behind this one', ja: () => '背後にあるほかの MCP サーバー' },
  fleet: { en: () => 'start other agents and wait for them', ja: () => 'ほかのエージェントを起動して待つ' },
  work: { en: () => 'tasks that agents take over', ja: () => 'エージェントが引き受けるタスク' },
  phase: { en: () => 'plans with phases and prompts', ja: () => 'フェーズとプロンプトによる計画' },
} satisfies Readonly<Record<Exclude<Toolset, 'admin'>, unknown>>);
