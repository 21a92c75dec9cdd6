import { useState } from 'react';
import { usePreferences } from '../app/preferences.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { Visible } from './visible.tsx';

const texts = defineTexts({
  rest: { en: (count: string) => `${count} more characters`, ja: (count) => `残り ${count} 文字` },
});

const atOnce = 4000;

/** A foreign text of any length, shown in part: a line of a million characters would block the page. */
export function LongText({ text }: { readonly text: string }) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const [shown, show] = useState(atOnce);
  if (text.length <= shown) return <Visible text={text} />;
  return (
    <>
      <Visible text={text.slice(0, shown)} />
      <button type="button" className="rest" onClick={() => show(shown + atOnce)}>
        {t.rest((text.length - shown).toLocaleString(lang))}
      </button>
    </>
  );
}
