import { diffLines } from 'diff';
import type { Line } from './lines.tsx';

/** The number of unchanged lines that are shown around a change. */
const around = 4;

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
