import { defineTexts, useTexts } from '../text/text.ts';
import { Visible } from './visible.tsx';

const texts = defineTexts({ content: { en: 'Content', ja: '内容' } });

/** A text in sentences, whose lines wrap. */
export function Prose({ text }: { readonly text: string }) {
  const t = useTexts(texts);
  return (
    <div className="prose" tabIndex={0} role="group" aria-label={t.content}>
      <Visible text={text} />
    </div>
  );
}
