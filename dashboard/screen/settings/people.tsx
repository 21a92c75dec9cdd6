import { useState } from 'react';
import type { UserOutput } from '../../api/operations.ts';
import { useUserCall } from '../../api/queries.ts';
import { Copyable } from '../../component/copyable.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Time } from '../../component/time.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

type Token = UserOutput<'list_people'>['tokens'][number];

const texts = defineTexts({
  alone: {
    en: 'Only you can approve now. To add another approver, run this in a terminal:',
    ja: '承認できるのは今あなただけです。承認者を増やすには、端末で次を実行します:',
  },
  people: { en: (names: string) => `Other approvers: ${names}`, ja: (names) => `ほかの承認者: ${names}` },
  none: { en: 'No tokens for people.', ja: '人のトークンはありません。' },
  revoke: { en: 'Revoke', ja: '無効にする' },
  title: { en: 'Revoke this token?', ja: 'このトークンを無効にしますか?' },
  about: {
    en: 'The token stops working in every project of this user.',
    ja: 'トークンは、このユーザーのすべてのプロジェクトで使えなくなります。',
  },
  remove: { en: 'Remove', ja: '削除' },
  removeTitle: { en: (name: string) => `Remove ${name}?`, ja: (name) => `${name} さんを削除しますか?` },
  removeAbout: {
    en: 'This person’s tokens, browser sessions and links stop working at once. Past approvals stay in the history.',
    ja: 'この人のトークン、ブラウザー、リンクは直ちに無効になります。過去の承認は履歴に残ります。',
  },
  sessions: {
    en: (identity: string, count: number) =>
      `Sign ${identity} out too (${count} ${count === 1 ? 'browser' : 'browsers'})`,
    ja: (identity, count) => `${identity} のブラウザー ${count} 件もサインアウトする`,
  },
});

/** The people who can decide beside the user of this machine, and their tokens. */
export function People() {
  const t = useTexts(texts);
  const { data, error } = useUserCall('list_people');
  const [chosen, setChosen] = useState<Token>();
  const [leaving, setLeaving] = useState<string>();
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      {data.people.length === 0 ? (
        <>
          <p className="dim">{t.alone}</p>
          <Copyable text="sekisho admin add-person ann" />
        </>
      ) : (
        <>
          <p>{t.people(data.people.join(', '))}</p>
          <ul className="bare entries">
            {data.people.map((name) => (
              <li key={name}>
                <b className="ink">{name}</b>
                <button type="button" onClick={() => setLeaving(name)}>
                  {t.remove}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {data.tokens.length === 0 && <p className="dim">{t.none}</p>}
      <ul className="bare entries">
        {data.tokens.map((one) => (
          <li key={one.id}>
            <p className="meta">
              <b className="ink">{one.identity}</b>
              <ShortId id={one.id} />
              <Time at={one.created_at} />
            </p>
            <button type="button" onClick={() => setChosen(one)}>
              {t.revoke}
            </button>
          </li>
        ))}
      </ul>
      {chosen !== undefined && <RevokeToken token={chosen} onClose={() => setChosen(undefined)} />}
      {leaving !== undefined && (
        <RevokeDialog
          call="remove_person"
          input={{ name: leaving }}
          title={t.removeTitle(leaving)}
          about={t.removeAbout}
          act={t.remove}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

/** Revokes a token. It offers to end the owner's browser sessions too, which stay valid without the token. */
function RevokeToken({ token: { id, identity }, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { data } = useUserCall('list_sessions');
  const [sessions, setSessions] = useState(false);
  const open = data?.sessions.filter((one) => one.identity === identity).length ?? 0;
  return (
    <RevokeDialog call="revoke_token" input={{ id, sessions }} title={t.title} about={t.about} onClose={onClose}>
      {open > 0 && (
        <label className="check">
          <input type="checkbox" checked={sessions} onChange={(event) => setSessions(event.target.checked)} />
          <span>{t.sessions(identity, open)}</span>
        </label>
      )}
    </RevokeDialog>
  );
}
