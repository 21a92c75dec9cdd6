import type { Japanese } from '../../kernel/text/text.ts';
import type { english as cellEnglish } from './cell.ts';
import type { english as commandWordsEnglish } from './command-words.ts';
import type { english as helpTextEnglish } from './help-text.ts';

export const cell: Japanese<typeof cellEnglish> = {
  ago: ({ amount }) => `${amount}前`,
  ahead: ({ amount }) => `${amount}後`,
  now: () => '今',
  seconds: ({ n }) => `${n}秒`,
  minutes: ({ n }) => `${n}分`,
  hours: ({ n }) => `${n}時間`,
  days: ({ n }) => `${n}日`,
};

export const commandWords: Japanese<typeof commandWordsEnglish> = {
  required: ({ flag }) => `${flag} が必要です`,
  number: ({ flag }) => `${flag} は数値です`,
  json: ({ flag }) => `${flag} は JSON です (例: ${flag} '{"key": "value"}')`,
  other: ({ flag, message }) => `${flag}: ${message}`,
  shows: ({ line, command }) => `${line}。一覧: ${command}`,
};

export const helpText: Japanese<typeof helpTextEnglish> = {
  product: () => 'AI コーディングエージェントのための関所です。',
  usage: () => '使い方:',
  command: () => 'コマンド',
  operation: () => '操作',
  toolset: () => 'ツールセット',
  flags: () => 'フラグ',
  flagsAre: () => 'フラグ:',
  everywhere: () => 'どのコマンドでも使えるフラグ:',
  example: () => '例:',
  examples: () => '例:',
  required: () => '(必須)',
  default: ({ value }) => `(既定値 ${value})`,
  explains: () => 'sekisho help <コマンドや操作> で詳しい説明を表示します。',
  toolsets: ({ names }) => `ツールセット: ${names} (操作の一覧は sekisho <ツールセット> --help)`,
  replaced: ({ use }) => `このコマンドは非推奨です。代わりに使うもの: ${use}`,
  operationFlags: ({ toolset }) => `フラグの一覧は sekisho ${toolset} <操作> --help で表示します。`,
  db: () => 'データベース (既定: プロジェクトごとに、ユーザーのデータフォルダー内)',
  project: () => 'プロジェクト (既定: ここから上へ探して .sekisho/ があるフォルダー)',
  role: () => 'agent、または人のロール (human、reviewer など。端末かトークンが必要)',
  runId: () => '指定がない場合に使う run',
  lang: () => '表示する言語',
  json: () => '結果を JSON で出力',
  noColor: () => '色を付けない (NO_COLOR と同じ)',
};
