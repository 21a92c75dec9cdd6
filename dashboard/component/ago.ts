import type { Lang } from '../app/preferences.ts';

const units: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly ms: number }[] = [
  { unit: 'year', ms: 31_536_000_000 },
  { unit: 'month', ms: 2_592_000_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
];

/** `5 minutes ago`, `5 分前`. Less than a minute is now. */
export function ago(then: number, now: number, lang: Lang): string {
  const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto', style: 'short' });
  const found = units.find(({ ms }) => Math.abs(now - then) >= ms);
  return found === undefined
    ? format.format(0, 'second')
    : format.format(Math.trunc((then - now) / found.ms), found.unit);
}

const steps: readonly { readonly ms: number; readonly en: string; readonly ja: string }[] = [
  { ms: 86_400_000, en: 'd', ja: '日' },
  { ms: 3_600_000, en: 'h', ja: '時間' },
  { ms: 60_000, en: 'min', ja: '分' },
  { ms: 1000, en: 's', ja: '秒' },
];

/** A length of time by its two largest parts: `1 h 5 min`. */
export function duration(ms: number, lang: Lang): string {
  const first = steps.findIndex((step) => ms >= step.ms);
  if (first < 0) return lang === 'ja' ? '1 秒未満' : '< 1 s';
  const [large, small] = [steps[first], steps[first + 1]];
  const rest = large === undefined ? 0 : ms % large.ms;
  return [
    large === undefined ? '' : `${Math.floor(ms / large.ms)} ${large[lang]}`,
    small === undefined || rest < small.ms ? '' : `${Math.floor(rest / small.ms)} ${small[lang]}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
