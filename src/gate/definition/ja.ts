import type { Japanese } from '../../kernel/text/text.ts';
import type { english as fileTextEnglish } from './file-text.ts';

export const fileText: Japanese<typeof fileTextEnglish> = {
  tooDeep: ({ most }) => `入れ子が ${most} 段を超えています。`,
  nestLess: () => '入れ子を浅くしてください。',
  asParsed: ({ message }) => `YAML の誤り: ${message}`,
  fewerAliases: () => 'エイリアスを減らしてください。',
  irregular: () => '通常のファイルではありません。',
  tooLarge: ({ most }) => `ファイルが ${most} バイトを超えています。`,
  unreadable: ({ fault }) => `ファイルを読み取れません (${fault})。`,
  putFile: () => 'プロセスを 1 つ書いたファイルに置き換えるか、削除してください。',
  empty: () => 'ファイルが空です。',
  noKeys: () => 'ファイルがキーの一覧になっていません。',
  beginWith: () => 'id、version、initial_state から書き始めてください。docs/ja/process-language.md に例があります。',
  severalDocuments: () => 'ファイルに複数の YAML 文書があります。',
  oneProcess: () => '1 つのファイルに書けるプロセスは 1 つです。--- の行から後を削除してください。',
  correctYaml: () => 'この位置の YAML を直してください。',
  noField: ({ key }) => `ここに「${key}」という項目はありません。`,
  checkSpelling: () => 'つづりを確認してください。項目の一覧は docs/ja/process-language.md にあります。',
  missing: ({ path }) => `${path} がありません。`,
  add: ({ field }) => `${field} を追加してください。`,
  wrong: ({ wrong }) => `${wrong.ja}。`,
  seeFields: () => '書けるものは docs/ja/process-language.md をご覧ください。',
  badSchema: ({ fault }) => `JSON Schema として正しくありません: ${fault}`,
  correctSchema: () =>
    'スキーマを直してください (JSON Schema 2020-12。パターンは RE2 の範囲で、先読み・後読みと後方参照は使えません)。',
};
