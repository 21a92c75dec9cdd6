import type { ReactNode } from 'react';
import { useAction } from '../api/action.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { Failure } from './failure.tsx';
import { ShortId } from './short-id.tsx';

const texts = defineTexts({
  verify: { en: 'Verify', ja: '検証' },
  verifying: { en: 'Verifying…', ja: '検証中…' },
  sound: {
    en: (entries: number, rows: number) => `All as it was written: ${entries} journal rows, ${rows} rows of tables.`,
    ja: (entries, rows) => `すべて記録どおりです (ジャーナル ${entries} 行、テーブル ${rows} 行)。`,
  },
  broken: {
    en: (count: number) => `Not as it was written: ${count} ${count === 1 ? 'row' : 'rows'}.`,
    ja: (count) => `記録と一致しません: ${count} 行`,
  },
  noHead: {
    en: 'The head that you kept is not in the journal any more: an end was cut off, or it was written anew.',
    ja: '控えておいた先頭がジャーナルにありません。末尾が切り取られたか、書き直されています。',
  },
  changed: { en: 'changed', ja: '変更' },
  added: { en: 'added', ja: '追加' },
  removed: { en: 'removed', ja: '削除' },
  newHead: { en: 'Head now', ja: '現在の先頭' },
});

interface Props {
  readonly head: string;
  /** The field for the head, beside the button. */
  readonly children?: ReactNode;
}

/** Verifies the journal; `head` is a link that must be in it. */
export function Verification({ head, children }: Props) {
  const t = useTexts(texts);
  const verify = useAction('verify_journal');
  const found = verify.data;
  return (
    <div className="verification">
      <p className="meta">
        {children}
        <button
          type="button"
          disabled={verify.isPending}
          onClick={() => verify.mutate(head === '' ? {} : { head: head.trim() })}
        >
          {verify.isPending ? t.verifying : t.verify}
        </button>
        <span role="status">
          {found?.ok === true && <span className="held">✓ {t.sound(found.entries, found.rows)}</span>}
          {found !== undefined && found.fault_count > 0 && <span className="bad">✗ {t.broken(found.fault_count)}</span>}
          {found?.head_matches === false && <span className="bad">✗ {t.noHead}</span>}
        </span>
      </p>
      {found?.ok === true && (
        <p className="meta">
          {t.newHead} <ShortId id={found.head} length={16} />
        </p>
      )}
      {found?.ok === false && (
        <ul className="bare">
          {found.faults.map((fault) => (
            <li key={`${fault.table} ${fault.key.join(' ')}`} className="bad">
              {fault.table} {fault.key.join(' ')}: {t[fault.damage]} ({fault.detail})
            </li>
          ))}
        </ul>
      )}
      {verify.error !== null && <Failure error={verify.error} />}
    </div>
  );
}
