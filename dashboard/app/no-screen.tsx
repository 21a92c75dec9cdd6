import { Empty } from '../component/empty.tsx';
import { To } from '../component/to.tsx';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  title: { en: 'There is nothing at this address', ja: 'このアドレスには何もありません' },
  why: {
    en: 'It may have been shortened, or belong to another version.',
    ja: '途中で切れているか、別のバージョンのアドレスかもしれません。',
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
