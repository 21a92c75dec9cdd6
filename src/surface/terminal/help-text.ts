import { definePhrases } from '../../kernel/text/text.ts';

/** The words around commands, operations and flags in what `--help` prints. */
export const helpText = definePhrases({
  product: {
    en: () => 'a checkpoint for AI coding agents.',
    ja: () => 'AI コーディングエージェントのための関所です。',
  },
  usage: { en: () => 'Usage:', ja: () => '使い方:' },
  command: { en: () => 'command', ja: () => 'コマンド' },
  operation: { en: () => 'operation', ja: () => '操作' },
  toolset: { en: () => 'toolset', ja: () => 'ツールセット' },
  flags: { en: () => 'flags', ja: () => 'フラグ' },
  commandsAre: { en: () => 'Commands:', ja: () => 'コマンド:' },
  flagsAre: { en: () => 'Flags:', ja: () => 'フラグ:' },
  everywhere: { en: () => 'Flags that hold everywhere:', ja: () => 'どのコマンドでも使えるフラグ:' },
  example: { en: () => 'Example:', ja: () => '例:' },
  examples: { en: () => 'Examples:', ja: () => '例:' },
  required: { en: () => '(required)', ja: () => '(必須)' },
  default: { en: ({ value }: { value: string }) => `(default ${value})`, ja: ({ value }) => `(既定値 ${value})` },
  explains: {
    en: () => 'sekisho help <anything> explains it.',
    ja: () => 'sekisho help <コマンドや操作> で詳しい説明を表示します。',
  },
  toolsets: {
    en: ({ names }: { names: string }) => `Toolsets: ${names} (sekisho <toolset> --help lists the operations)`,
    ja: ({ names }) => `ツールセット: ${names} (操作の一覧は sekisho <ツールセット> --help)`,
  },
  operationFlags: {
    en: ({ toolset }: { toolset: string }) => `sekisho ${toolset} <operation> --help shows its flags.`,
    ja: ({ toolset }) => `フラグの一覧は sekisho ${toolset} <操作> --help で表示します。`,
  },
  db: {
    en: () => 'the database (default: the project’s own, in the user’s data folder)',
    ja: () => 'データベース (既定: プロジェクトごとに、ユーザーのデータフォルダー内)',
  },
  project: {
    en: () => 'the project (default: the folder with .sekisho/ upwards from here)',
    ja: () => 'プロジェクト (既定: ここから上へ探して .sekisho/ があるフォルダー)',
  },
  role: {
    en: () => 'agent, or a person’s (human, reviewer …), which needs a terminal or a token',
    ja: () => 'agent、または人のロール (human、reviewer など。端末かトークンが必要)',
  },
  runId: { en: () => 'which run, where none is named', ja: () => '指定がない場合に使う run' },
  lang: { en: () => 'language of texts', ja: () => '表示する言語' },
  json: { en: () => 'exactly the structured result', ja: () => '結果を JSON で出力' },
  noColor: { en: () => 'no colours (NO_COLOR does the same)', ja: () => '色を付けない (NO_COLOR と同じ)' },
});
