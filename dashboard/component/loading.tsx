import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({ loading: { en: 'Loading…', ja: '読み込み中…' } });

/** A loading text that appears after a delay, so that fast pages do not flicker. */
export function Loading() {
  const t = useTexts(texts);
  return (
    <p className="loading" role="status">
      {t.loading}
    </p>
  );
}
