import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({ loading: { en: 'Loading…', ja: '読み込み中…' } });

/** Seen only where it takes long: whatever is fast should not flicker. */
export function Loading() {
  const t = useTexts(texts);
  return (
    <p className="loading" role="status">
      {t.loading}
    </p>
  );
}
