import type { Words } from '../kernel/text/text.ts';

/** The faults of a row that is not as it was written. */
export const verifyText = {
  leaf: { en: 'its content does not match its digest', ja: '内容がダイジェストと一致しません' },
  chain: {
    en: 'it does not follow from the row before: one of the two was replaced',
    ja: '前の行とつながりません。どちらかが置き換えられています',
  },
  head: {
    en: 'its link is not that of the newest row of the journal',
    ja: 'リンクがジャーナルの最新の行と一致しません',
  },
  removed: { en: 'it is in the journal but not in the table', ja: 'ジャーナルにはありますが、表にありません' },
  added: { en: 'no journal entry created it', ja: 'これを作ったジャーナルの項目がありません' },
  changed: { en: 'it differs from its last journal entry', ja: 'ジャーナルの最後の項目と内容が違います' },
  beyondHead: (seq: number): Words => ({
    en: `the head of the journal is ${seq}`,
    ja: `ジャーナルの先頭は ${seq} です`,
  }),
  missing: (from: number, to: number): Words =>
    from === to
      ? { en: 'the row is missing', ja: '行がありません' }
      : { en: `the rows ${from} to ${to} are missing`, ja: `${from} から ${to} までの行がありません` },
} as const;
