import { diffLines } from 'diff';
import { useMemo } from 'react';
import { defineTexts, useTexts } from '../text/text.ts';
import { Lines } from './lines.tsx';
import type { Line } from './lines.tsx';

const texts = defineTexts({ same: { en: 'There is no difference.', ja: '違いはありません。' } });

/** How far from a change lines are still shown. */
const around = 4;

/** Two texts, line by line. What is equal and far from any change is left out. */
export default function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  const t = useTexts(texts);
  const lines = useMemo(() => nearChanges(linesOf(before, after)), [before, after]);
  return lines.length === 0 ? <p className="dim">{t.same}</p> : <Lines lines={lines} />;
}

export function linesOf(before: string, after: string): readonly Line[] {
  let old = 1;
  let now = 1;
  return diffLines(before, after).flatMap((part) =>
    part.value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): Line => {
        if (part.added) return { change: 'added', text, now: now++ };
        if (part.removed) return { change: 'removed', text, old: old++ };
        return { change: 'same', text, old: old++, now: now++ };
      }),
  );
}

export function nearChanges(lines: readonly Line[]): readonly Line[] {
  const changed = lines.flatMap((line, index) => (line.change === 'same' ? [] : [index]));
  const isNear = (index: number): boolean => changed.some((at) => Math.abs(at - index) <= around);
  return lines.flatMap((line, index) => {
    if (isNear(index)) return [line];
    return isNear(index - 1) ? [{ change: 'gap' as const, text: '' }] : [];
  });
}
