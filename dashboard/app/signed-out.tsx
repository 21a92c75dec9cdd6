import { Copyable } from '../component/copyable.tsx';
import { defineTexts, useTexts } from '../text/text.ts';
import { Mark } from './mark.tsx';
import { PreferenceSwitches } from './preference-switches.tsx';

const texts = defineTexts({
  title: { en: 'You are signed out', ja: 'サインアウトしています' },
  spent: { en: 'This link has been used', ja: 'このリンクは使用済みです' },
  why: {
    en: 'Decisions on this page are made in your name, so only you can open it. In a terminal on this machine, run',
    ja: 'このページでの判断はあなたの名前で記録されるため、開けるのはあなただけです。このマシンの端末で次を実行してください',
  },
  once: { en: 'It opens a link that works once, within a minute.', ja: '1 分間、一度だけ有効なリンクが開きます。' },
});

export function SignedOut({ spent }: { readonly spent: boolean }) {
  const t = useTexts(texts);
  return (
    <main className="signed-out">
      <Mark />
      <h1>{spent ? t.spent : t.title}</h1>
      <p>{t.why}</p>
      <Copyable text="sekisho open" />
      <p className="dim">{t.once}</p>
      <PreferenceSwitches />
    </main>
  );
}
