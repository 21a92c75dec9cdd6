const steps: readonly { readonly ms: number; readonly en: string; readonly ja: string }[] = [
  { ms: 86_400_000, en: 'd', ja: '日' },
  { ms: 3_600_000, en: 'h', ja: '時間' },
  { ms: 60_000, en: 'min', ja: '分' },
  { ms: 1000, en: 's', ja: '秒' },
];

/** Formats a duration with its two largest units: `1 h 5 min`. */
export function formatDuration(ms: number, lang: 'en' | 'ja'): string {
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
