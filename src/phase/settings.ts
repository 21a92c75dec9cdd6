import {
  type SettingValues,
  choice,
  count,
  defineSettings,
  flag,
  resolveSettingPath,
  setting,
  structure,
  text,
  word,
} from '../kernel/setting.ts';
import type { PhaseItem } from './settings-schema.ts';

export type { PhaseItem };

const defaultList: readonly PhaseItem[] = ['phase0', 'phase1', 'phase2', 'phase3', 'phase4'].map((id) => ({ id }));

/** The source of prompts: an absolute folder, a URL or `store`; undefined: the project's own prompts over the shipped ones. */
const source = setting<string | undefined>(undefined, (given, place, from) => {
  const named = String(given);
  return named === 'store' || /^https?:/i.test(named) ? named : resolveSettingPath(named, place, from);
});

export const settings = defineSettings({
  phases: {
    source,
    apiKey: text(),
    /** The header of the key for a prompt API: `X-API-Key` or `Authorization: Bearer`. */
    auth: choice(['key', 'bearer'], 'key'),
    /** Allows plain `http:` to other machines. */
    allowHttp: flag(false),
    /** The label of the store's prompts that is served. */
    label: word('production', {
      pattern: /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u,
      what: {
        en: 'a label: letters, digits, dot, dash and underscore, at most 100',
        ja: 'ラベル (英数字、ドット、ハイフン、アンダースコア、100 文字以内) ',
      },
    }),
    /** Age in milliseconds after which a cached prompt is checked again. */
    cacheTtl: count(3_600_000, { env: 'CACHE_TTL', from: 0 }),
    variables: structure<Readonly<Record<string, string | number | boolean>>>(
      {},
      async () => (await import('./settings-schema.ts')).variablesSchema,
    ),
    list: structure<readonly PhaseItem[]>(defaultList, async () => (await import('./settings-schema.ts')).phasesSchema),
  },
});

export type PhaseSettings = SettingValues<typeof settings.tree.phases>;
