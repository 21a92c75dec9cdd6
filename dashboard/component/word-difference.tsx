import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import { defineTexts, useTexts } from '../text/text.ts';
import Difference from './difference.tsx';
import { Visible } from './visible.tsx';

const texts = defineTexts({
  same: { en: 'There is no difference.', ja: '違いはありません。' },
  content: { en: 'Content', ja: '内容' },
});

/** The most edits that are compared by words; the time grows with the square. Texts that differ more are compared by lines. */
const maxEdits = 2000;

/** The difference of two texts by words, and by characters for Japanese. */
export default function WordDifference({ before, after }: { readonly before: string; readonly after: string }) {
  const t = useTexts(texts);
  const parts = useMemo(() => diffWordsWithSpace(before, after, { maxEditLength: maxEdits }), [before, after]);
  if (before === after) return <p className="dim">{t.same}</p>;
  if (parts === undefined) return <Difference before={before} after={after} />;
  return (
    <div className="prose" tabIndex={0} role="group" aria-label={t.content}>
      {parts.map((part, index) => {
        const text = <Visible text={part.value} />;
        if (part.added) return <ins key={index}>{text}</ins>;
        return part.removed ? <del key={index}>{text}</del> : <span key={index}>{text}</span>;
      })}
    </div>
  );
}
