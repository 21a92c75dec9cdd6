import { Empty } from '../component/empty.tsx';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  title: { en: 'No project is registered yet', ja: 'プロジェクトがまだ登録されていません' },
  why: {
    en: 'Run this in the folder of a project. It then appears here.',
    ja: 'プロジェクトのフォルダーで次を実行すると、ここに表示されます。',
  },
});

export function NoProject() {
  const t = useTexts(texts);
  return <Empty title={t.title} why={t.why} command="sekisho init" />;
}
