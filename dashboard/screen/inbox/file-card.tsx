import { useState } from 'react';
import type { Output } from '../../api/operations.ts';
import { Badge } from '../../component/badge.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { TrustDialog } from './trust-dialog.tsx';

const texts = defineTexts({
  changed: { en: 'Changed', ja: '変更あり' },
  removed: { en: 'Removed', ja: '削除済み' },
  never: { en: 'New', ja: '新規' },
  goesOn: {
    en: 'The last trusted version stays in effect until you review this one.',
    ja: 'このファイルを確認するまで、最後に信頼されたバージョンが使われます。',
  },
  mayNot: {
    en: 'This file has not been reviewed, so the programs in it do not run.',
    ja: 'まだ確認されていないため、この中のプログラムは実行されません。',
  },
  look: { en: 'Review', ja: '内容を確認' },
});

/** A definition that differs from what a person last reviewed. */
export function FileCard({ file }: { readonly file: Output<'state_gate.list_processes'>['processes'][number] }) {
  const t = useTexts(texts);
  const [asks, setAsks] = useState(false);
  const { name, source, digest, trust } = file;
  const word = { changed: t.changed, removed: t.removed, never: t.never, trusted: '' }[trust];
  return (
    <article className="card">
      <div className="card-main">
        <p className="meta">
          <Badge tone="wait">{word}</Badge>
          <ShortId id={digest} />
        </p>
        <h3>
          <Visible text={name} />
        </h3>
        <p className="meta">
          <code>
            <Visible text={source} />
          </code>
          <span>{trust === 'never' ? t.mayNot : t.goesOn}</span>
        </p>
      </div>
      <div className="card-side">
        <button type="button" onClick={() => setAsks(true)}>
          {t.look}
        </button>
      </div>
      {asks && <TrustDialog file={source} onClose={() => setAsks(false)} />}
    </article>
  );
}
