import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { defineTexts, useTexts } from '../text/text.ts';
import { LongText } from './long-text.tsx';

export interface Line {
  readonly change: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
  readonly old?: number;
  readonly now?: number;
}

const texts = defineTexts({
  content: { en: 'Content', ja: '内容' },
  added: { en: 'added', ja: '追加' },
  removed: { en: 'removed', ja: '削除' },
});

const lineHeight = 20;
const nearEnd = 80;
const signs = { same: ' ', added: '+', removed: '-', gap: '⋯' } as const;

interface Props {
  readonly lines: readonly Line[];
  /** Scrolls to new lines, unless the reader has scrolled back. */
  readonly follow?: boolean;
}

/** A text by lines. Only visible lines are rendered, so that a long text does not slow down the page. */
export function Lines({ lines, follow = false }: Props) {
  const t = useTexts(texts);
  const place = useRef<HTMLDivElement>(null);
  const isDiff = lines.some((line) => line.change !== 'same');
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => lineHeight,
    overscan: 20,
    initialRect: { width: 600, height: 400 },
  });
  const seen = useRef(0);
  useEffect(() => {
    const { current } = place;
    const before = seen.current * lineHeight;
    seen.current = lines.length;
    if (follow && current !== null && current.scrollTop + current.clientHeight >= before - nearEnd)
      current.scrollTop = lines.length * lineHeight;
  }, [follow, lines.length]);
  const words = { added: t.added, removed: t.removed, same: '', gap: '' };
  return (
    <div className="lines" ref={place} tabIndex={0} role="group" aria-label={t.content}>
      <div className="lines-all" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const { change, text, old, now } = lines[index] ?? { change: 'same', text: '' };
          return (
            <div key={key} className={`line ${change}`} style={{ transform: `translateY(${start}px)` }}>
              {isDiff && <span className="line-number">{old ?? ''}</span>}
              <span className="line-number">{isDiff ? (now ?? '') : index + 1}</span>
              {isDiff && (
                <span className="line-sign" {...(words[change] !== '' && { role: 'img', 'aria-label': words[change] })}>
                  {signs[change]}
                </span>
              )}
              <code>
                <LongText text={text} />
              </code>
            </div>
          );
        })}
      </div>
    </div>
  );
}
