import { definePhrases } from '../../kernel/text/text.ts';

/** What is said of a definition file whose form is wrong. */
export const fileText = definePhrases({
  tooDeep: {
    en: ({ most }: { most: number }) => `It is nested deeper than ${most} levels.`,
    ja: ({ most }) => `入れ子が ${most} 段を超えています。`,
  },
  nestLess: { en: () => 'Nest it less deeply.', ja: () => '入れ子を浅くしてください。' },
  asParsed: { en: ({ message }: { message: string }) => message, ja: ({ message }) => `YAML の誤り: ${message}` },
  fewerAliases: { en: () => 'Use fewer aliases.', ja: () => 'エイリアスを減らしてください。' },
  irregular: {
    en: () => 'This is no regular file.',
    ja: () => '通常のファイルではありません。',
  },
  tooLarge: {
    en: ({ most }: { most: number }) => `The file is larger than ${most} bytes.`,
    ja: ({ most }) => `ファイルが ${most} バイトを超えています。`,
  },
  unreadable: {
    en: ({ fault }: { fault: string }) => `The file cannot be read (${fault}).`,
    ja: ({ fault }) => `ファイルを読み取れません (${fault})。`,
  },
  putFile: {
    en: () => 'Put a file with one process in its place, or remove it.',
    ja: () => 'プロセスを 1 つ書いたファイルに置き換えるか、削除してください。',
  },
  empty: { en: () => 'The file is empty.', ja: () => 'ファイルが空です。' },
  noKeys: { en: () => 'The file is no list of keys.', ja: () => 'ファイルがキーの一覧になっていません。' },
  beginWith: {
    en: () => 'Begin with id, version and initial_state; docs/process-language.md has an example to copy.',
    ja: () => 'id、version、initial_state から書き始めてください。docs/ja/process-language.md に例があります。',
  },
  severalDocuments: {
    en: () => 'The file holds several YAML documents.',
    ja: () => 'ファイルに複数の YAML 文書があります。',
  },
  oneProcess: {
    en: () => 'Keep one process in a file: remove what stands behind the line ---.',
    ja: () => '1 つのファイルに書けるプロセスは 1 つです。--- の行から後を削除してください。',
  },
  correctYaml: { en: () => 'Correct the YAML at this place.', ja: () => 'この位置の YAML を直してください。' },
  noField: {
    en: ({ key }: { key: string }) => `"${key}" is no field here.`,
    ja: ({ key }) => `ここに「${key}」という項目はありません。`,
  },
  checkSpelling: {
    en: () => 'Check the spelling; docs/process-language.md lists every field.',
    ja: () => 'つづりを確認してください。項目の一覧は docs/ja/process-language.md にあります。',
  },
  missing: {
    en: ({ path }: { path: string }) => `${path} is missing.`,
    ja: ({ path }) => `${path} がありません。`,
  },
  add: { en: ({ field }: { field: string }) => `Add ${field}.`, ja: ({ field }) => `${field} を追加してください。` },
  wrong: {
    en: ({ wrong }: { wrong: { readonly en: string; readonly ja: string } }) => `${wrong.en}.`,
    ja: ({ wrong }) => `${wrong.ja}。`,
  },
  seeFields: {
    en: () => 'See docs/process-language.md for what may stand here.',
    ja: () => '書けるものは docs/ja/process-language.md をご覧ください。',
  },
  badSchema: {
    en: ({ fault }: { fault: string }) => `This is no valid JSON Schema: ${fault}.`,
    ja: ({ fault }) => `JSON Schema として正しくありません: ${fault}`,
  },
  correctSchema: {
    en: () =>
      'Correct the schema (JSON Schema 2020-12; patterns as RE2 knows them, without look-around and back references).',
    ja: () =>
      'スキーマを直してください (JSON Schema 2020-12。パターンは RE2 の範囲で、先読み・後読みと後方参照は使えません)。',
  },
});
