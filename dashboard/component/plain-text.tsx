import { useMemo } from 'react';
import { Lines } from './lines.tsx';

/** A text as it was submitted. */
export function PlainText({ text }: { readonly text: string }) {
  const lines = useMemo(
    () =>
      text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => ({ change: 'same' as const, text: line })),
    [text],
  );
  return <Lines lines={lines} />;
}
