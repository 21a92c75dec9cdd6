import type { Words } from '../kernel/text/text.ts';

/** The reasons why a file cannot be restored. */
export const backupText = {
  foreign: { en: 'it is not a backup made by sekisho backup', ja: 'sekisho backup で作成したものではありません' },
  newer: {
    en: 'a newer version of Sekisho wrote it; update Sekisho',
    ja: 'より新しいバージョンの Sekisho で作成されています。Sekisho を更新してください',
  },
  cut: { en: 'its end is missing', ja: '末尾が欠けています' },
  changed: {
    en: 'its content is not what was written: the checksum does not match',
    ja: '書き込まれた内容と違います (チェックサムが一致しません)',
  },
  damaged: {
    en: 'it is damaged, or not a backup made by sekisho backup',
    ja: '壊れているか、sekisho backup で作成したものではありません',
  },
} as const satisfies Readonly<Record<string, Words>>;

export function newerSchema(schema: number, own: number, program: string): Words {
  return {
    en: `a newer version of Sekisho (${program}) wrote it (schema ${schema}, this one has ${own}); update Sekisho`,
    ja: `より新しいバージョンの Sekisho (${program}) で作成されています (スキーマ ${schema}、こちらは ${own})。Sekisho を更新してください`,
  };
}

export function otherTable(name: string, program: string): Words {
  return {
    en: `its table ${name} is not the one that this version has; restore it with version ${program}`,
    ja: `表 ${name} がこのバージョンのものと違います。バージョン ${program} で復元してください`,
  };
}
