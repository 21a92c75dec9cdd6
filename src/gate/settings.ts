import { join } from 'node:path';
import { SettingFault, count, defineSettings, paths, setting } from '../kernel/setting.ts';

const mebibyte = 1024 * 1024;

export const settings = defineSettings({
  /** Folders or files of process definitions, in order of preference. */
  processes: paths(({ home }) => [join(home, 'processes')]),
  gate: {
    maxArtifactBytes: count(64 * mebibyte),
    /** Size limit of content that is stored. */
    keepBytes: count(5 * mebibyte, { from: 0 }),
  },
  /** The command of `command: { config: test }`. No variable sets it, since an agent controls its environment. */
  test: setting<readonly string[] | undefined>(
    undefined,
    (given) => {
      const words: unknown = typeof given === 'string' ? given.split(/\s+/).filter((one) => one !== '') : given;
      if (Array.isArray(words) && words.length > 0 && words.every((one) => typeof one === 'string')) return words;
      throw new SettingFault({ en: 'it is not a command (a list of words)', ja: 'コマンド (語の一覧) ではありません' });
    },
    { env: null },
  ),
});
