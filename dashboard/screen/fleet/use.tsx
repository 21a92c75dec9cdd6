import { usePreferences } from '../../app/preferences.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import type { Output } from '../../api/operations.ts';

const texts = defineTexts({
  tokens: {
    en: (input: string, output: string) => `${input} in, ${output} out`,
    ja: (input, output) => `入力 ${input}、出力 ${output}`,
  },
  cached: { en: (cached: string) => `, ${cached} cached`, ja: (cached) => `、キャッシュ ${cached}` },
});

type Usage = Output<'list_groups'>['groups'][number]['usage'];

/** The tokens that the agent's stream reports. */
export function Tokens({ usage }: { readonly usage: Usage }) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  if (usage === null || (usage.inputTokens === undefined && usage.outputTokens === undefined)) return '–';
  const format = new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 });
  const number = (value: number | undefined): string => (value === undefined ? '–' : format.format(value));
  const text = t.tokens(number(usage.inputTokens), number(usage.outputTokens));
  return (
    <span>
      {text}
      {usage.cachedTokens !== undefined && usage.cachedTokens > 0 && (
        <span className="dim">{t.cached(number(usage.cachedTokens))}</span>
      )}
    </span>
  );
}

/** The cost in dollars, as the agent's program reports it. */
export function Cost({ usage }: { readonly usage: Usage }) {
  const { lang } = usePreferences();
  if (usage?.costUsd === undefined) return '–';
  return new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }).format(
    usage.costUsd,
  );
}
