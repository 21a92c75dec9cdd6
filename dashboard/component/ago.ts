import type { Lang } from '../app/preferences.ts';

const units: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly ms: number }[] = [
  { unit: 'year', ms: 31_536_000_000 },
  { unit: 'month', ms: 2_592_000_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
];

/** A relative time: `5 minutes ago`, `5 分前`. Less than a minute is "now". */
export function ago(then: number, now: number, lang: Lang): string {
  const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto', style: 'short' });
  const found = units.find(({ ms }) => Math.abs(now - then) >= ms);
  return found === undefined
    ? format.format(0, 'second')
    : format.format(Math.trunc((then - now) / found.ms), found.unit);
}
