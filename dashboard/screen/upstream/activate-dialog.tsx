import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: (name: string) => `Activate ${name}?`, ja: (name) => `${name} を有効化しますか?` },
  about: {
    en: 'The daemon connects to the server, runs its init script and checks it. This unlocks the tools for this page only. Each client activates the server for itself.',
    ja: 'デーモンが接続し、初期化スクリプトを実行して確認します。ツールのロックが解除されるのはこのページだけです。クライアントはそれぞれ自分で有効化します。',
  },
  phrase: { en: 'Phrase from its skill (if required)', ja: 'スキルの合言葉 (必要な場合)' },
  done: {
    en: (server: string, tools: number) => `Connected: ${server}, ${tools} tools.`,
    ja: (server, tools) => `接続しました: ${server}、ツール ${tools} 件。`,
  },
  activate: { en: 'Activate', ja: '有効化' },
  activating: { en: 'Activating…', ja: '有効化中…' },
  close: { en: 'Close', ja: '閉じる' },
});

interface Props {
  readonly upstream: string;
  readonly isGated: boolean;
  readonly onClose: () => void;
}

export function ActivateDialog({ upstream, isGated, onClose }: Props) {
  const t = useTexts(texts);
  const [phrase, setPhrase] = useState('');
  const activate = useAction('activate');
  const done = activate.data?.upstreams[0];
  return (
    <Dialog title={t.title(upstream)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          activate.mutate({ upstream, ...(phrase.trim() !== '' && { phrase: phrase.trim() }) });
        }}
      >
        <p>{t.about}</p>
        {isGated && (
          <label>
            {t.phrase}
            <input value={phrase} onChange={(event) => setPhrase(event.target.value)} />
          </label>
        )}
        <p role="status">
          {done !== undefined && (
            <span className="held">
              ✓ <Visible text={t.done(done.server, done.tools)} />
            </span>
          )}
        </p>
        {activate.error !== null && <Failure error={activate.error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.close}
          </button>
          <button type="submit" className="primary" disabled={activate.isPending}>
            {activate.isPending ? t.activating : t.activate}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
