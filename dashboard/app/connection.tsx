import type { FeedState } from '../api/feed.ts';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  connecting: { en: 'Connecting…', ja: '接続中…' },
  live: { en: 'Live', ja: 'ライブ' },
  reconnecting: { en: 'Reconnecting…', ja: '再接続中…' },
  'signed-out': { en: 'Signed out', ja: 'サインアウト済み' },
});

/** Shows whether the page is connected to the daemon. */
export function Connection({ state }: { readonly state: FeedState }) {
  const t = useTexts(texts);
  return (
    <p className={`connection ${state}`} role="status">
      <span className="dot" aria-hidden="true" />
      {t[state]}
    </p>
  );
}
