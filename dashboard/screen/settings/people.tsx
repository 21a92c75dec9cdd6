import { useState } from 'react';
import { useUserCall } from '../../api/queries.ts';
import { Copyable } from '../../component/copyable.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Time } from '../../component/time.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

const texts = defineTexts({
  alone: {
    en: 'Only you decide here. Somebody else, whose approvals count beside yours, is added in a terminal:',
    ja: 'ここで判断するのはあなただけです。承認が別に数えられる人は、端末で追加します:',
  },
  people: { en: (names: string) => `Beside you: ${names}`, ja: (names) => `あなたのほかに: ${names}` },
  none: { en: 'There is no token of a person.', ja: '人のトークンはありません。' },
  revoke: { en: 'Revoke', ja: '無効にする' },
  title: { en: 'Revoke this token?', ja: 'このトークンを無効にしますか?' },
  about: {
    en: 'It opens nothing any more, in every project of this user.',
    ja: 'このユーザーのすべてのプロジェクトで使えなくなります。',
  },
});

/** Who decides beside the user of this machine, and what proves it. */
export function People() {
  const t = useTexts(texts);
  const { data, error } = useUserCall('list_people');
  const [chosen, setChosen] = useState<string>();
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
        <p>{t.people(data.people.join(', '))}</p>
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
            <button type="button" onClick={() => setChosen(one.id)}>
              {t.revoke}
            </button>
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <RevokeDialog
          call="revoke_token"
          id={chosen}
          title={t.title}
          about={t.about}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
