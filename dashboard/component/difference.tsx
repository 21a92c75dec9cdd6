import { useMemo } from 'react';
import { defineTexts, useTexts } from '../text/text.ts';
import { linesOf, nearChanges } from './difference-lines.ts';
import { Lines } from './lines.tsx';

const texts = defineTexts({ same: { en: 'There is no difference.', ja: '違いはありません。' } });

/** The difference of two texts by lines. Equal lines far from any change are left out. */
export default function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  const t = useTexts(texts);
  const lines = useMemo(() => nearChanges(linesOf(before, after)), [before, after]);
  return lines.length === 0 ? <p className="dim">{t.same}</p> : <Lines lines={lines} />;
}
