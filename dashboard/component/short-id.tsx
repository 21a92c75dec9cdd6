import { useState } from 'react';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({ copy: { en: (id: string) => `Copy ${id}`, ja: (id) => `${id} をコピー` } });

/** A shortened id or digest; a click copies all of it. */
export function ShortId({ id, length = 12 }: { readonly id: string; readonly length?: number }) {
  const t = useTexts(texts);
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), 1200);
  };
  const shown = id.length <= length + 1 ? id : `${id.slice(0, length)}…`;
  return (
    <button type="button" className="short-id" title={t.copy(id)} onClick={() => void copy()}>
      <code>{shown}</code>
      {copied && <span aria-hidden="true"> ✓</span>}
    </button>
  );
}
