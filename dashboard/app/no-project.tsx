import { Copyable } from '../component/copyable.tsx';
import { Head } from '../component/head.tsx';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  title: { en: 'No project is registered yet', ja: 'プロジェクトがまだ登録されていません' },
  why: {
    en: "Put Sekisho's bin folder on your PATH, watch the demo, then set up a project. It appears here.",
    ja: 'Sekisho の bin フォルダーを PATH に追加し、デモを見てから、プロジェクトを準備してください。準備するとここに表示されます。',
  },
});

const steps = [
  'export PATH="/path/to/sekisho/bin:$PATH"',
  'sekisho demo',
  'cd your-project && sekisho init --client claude',
];

/** The page where no project is registered. `sekisho up` says the same steps. */
export function NoProject() {
  const t = useTexts(texts);
  return (
    <>
      <Head title={t.title} about={t.why} />
      <ol className="steps">
        {steps.map((one) => (
          <li key={one}>
            <Copyable text={one} />
          </li>
        ))}
      </ol>
    </>
  );
}
