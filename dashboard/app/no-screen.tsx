import { Empty } from '../component/empty.tsx';
import { To } from '../component/to.tsx';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  title: { en: 'Page not found', ja: 'ページが見つかりません' },
  why: {
    en: 'The URL may be incomplete, or from another version.',
    ja: 'URL が途中で切れているか、別のバージョンのものかもしれません。',
  },
  inbox: { en: 'Go to the inbox', ja: '受信箱へ移動' },
});

export function NoScreen() {
  const t = useTexts(texts);
  return (
    <Empty title={t.title} why={t.why}>
      <To href="/">{t.inbox}</To>
    </Empty>
  );
}
