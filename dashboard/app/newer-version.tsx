import { useEffect, useRef, useState } from 'react';
import type { FeedState } from '../api/feed.ts';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  newer: { en: 'A newer version is running', ja: '新しいバージョンが動作中です' },
  reload: { en: 'Reload', ja: '再読み込み' },
});

/** Offers to reload the page if the daemon has another version after a reconnect. */
export function NewerVersion({ state }: { readonly state: FeedState }) {
  const t = useTexts(texts);
  const own = useRef<string>(undefined);
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    if (state !== 'live') return;
    void readVersion().then((version) => {
      own.current ??= version;
      if (version !== undefined) setOld(version !== own.current);
    });
  }, [state]);
  if (!isOld) return null;
  return (
    <p className="newer" role="status">
      {t.newer}
      <button type="button" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </p>
  );
}

async function readVersion(): Promise<string | undefined> {
  try {
    const { headers } = await fetch('/', { method: 'HEAD', headers: { Accept: 'text/html' }, cache: 'no-store' });
    return headers.get('Sekisho-Version') ?? undefined;
  } catch {
    return undefined; // The daemon is gone again.
  }
}
