import { Copyable } from '../component/copyable.tsx';
import { Head } from '../component/head.tsx';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  title: { en: 'No project is registered yet', ja: 'プロジェクトがまだ登録されていません' },
  why: {
    en: "Add Sekisho's bin folder to your PATH, run the demo, then set up a project. The project appears here.",
    ja: 'Sekisho の bin フォルダーを PATH に追加し、デモを実行してから、プロジェクトを準備してください。準備したプロジェクトがここに表示されます。',
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
