import type { Lang, Words } from '../../kernel/text/text.ts';

const names: Readonly<Record<string, Words | undefined>> = {
  project: { en: 'project', ja: 'プロジェクト' },
  store: { en: 'store', ja: 'データベース' },
  program: { en: 'program', ja: 'プログラム' },
  hooks: { en: 'hooks', ja: 'フック' },
  server: { en: 'server', ja: 'サーバー' },
  trust: { en: 'trust', ja: '信頼' },
  receipts: { en: 'receipts', ja: '問い合わせ' },
  sandbox: { en: 'sandbox', ja: 'サンドボックス' },
};

export const ringState = {
  on: { en: 'on', ja: '有効' },
  off: { en: 'off', ja: '無効' },
  broken: { en: 'broken', ja: '異常' },
  unknown: { en: 'unknown', ja: '不明' },
} as const;

/** A ring as people call it, with the client whose it is. */
export function ringName({ name, client }: { readonly name: string; readonly client?: string }, lang: Lang): string {
  const said = names[name]?.[lang] ?? name;
  return client === undefined ? said : `${client} ${said}`;
}
