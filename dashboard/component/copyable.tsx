import { useState } from 'react';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({ copy: { en: 'Copy', ja: 'コピー' }, copied: { en: 'Copied', ja: 'コピーしました' } });

/** A command to copy. */
export function Copyable({ text }: { readonly text: string }) {
  const t = useTexts(texts);
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <p className="copyable">
      <code>{text}</code>
      <button type="button" className="quiet" onClick={() => void copy()}>
        <span aria-live="polite">{copied ? t.copied : t.copy}</span>
      </button>
    </p>
  );
}
