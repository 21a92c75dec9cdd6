import { useState } from 'react';
import { useUserCall } from '../../api/queries.ts';
import { Badge } from '../../component/badge.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { browserName } from './browser-name.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

const texts = defineTexts({
  here: { en: 'this one', ja: 'このブラウザー' },
  revoke: { en: 'Revoke', ja: '無効にする' },
  title: { en: 'End this session?', ja: 'このセッションを終了しますか?' },
  about: {
    en: 'That browser is signed out at once. To sign in again, use a new link from sekisho open.',
    ja: 'そのブラウザーは直ちにサインアウトされます。sekisho open の新しいリンクで再びサインインできます。',
  },
});

export function Sessions() {
  const t = useTexts(texts);
  const { data, error } = useUserCall('list_sessions');
  const [chosen, setChosen] = useState<string>();
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <ul className="bare entries">
        {data.sessions.map((one) => (
          <li key={one.id}>
            <div>
              <p className="meta">
                <b className="ink">{one.identity}</b>
                {one.is_this && <Badge tone="here">{t.here}</Badge>}
                <Time at={one.created_at} />
              </p>
              <p className="dim small">
                <span title={one.browser}>
                  <Visible text={browserName(one.browser)} />
                </span>
              </p>
            </div>
            {!one.is_this && (
              <button type="button" onClick={() => setChosen(one.id)}>
                {t.revoke}
              </button>
            )}
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <RevokeDialog
          call="revoke_session"
          input={{ id: chosen }}
          title={t.title}
          about={t.about}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
