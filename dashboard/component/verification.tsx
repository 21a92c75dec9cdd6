import type { ReactNode } from 'react';
import { useAction } from '../api/action.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { Failure } from './failure.tsx';
import { ShortId } from './short-id.tsx';

const texts = defineTexts({
  verify: { en: 'Verify', ja: '検証' },
  verifying: { en: 'Verifying…', ja: '検証中…' },
  sound: {
    en: (entries: number, rows: number) => `Verified: ${entries} journal entries and ${rows} table rows are unaltered.`,
    ja: (entries, rows) => `検証しました。ジャーナル ${entries} 行、テーブル ${rows} 行に改ざんはありません。`,
  },
  broken: {
    en: (count: number) => `${count} ${count === 1 ? 'row does' : 'rows do'} not match the journal.`,
    ja: (count) => `${count} 行がジャーナルと一致しません。`,
  },
  noHead: {
    en: 'The saved head hash is not in the journal: entries were cut off at the end, or the journal was rewritten.',
    ja: '保存しておいた先頭ハッシュがジャーナルにありません。末尾が削除されたか、書き換えられています。',
  },
  changed: { en: 'changed', ja: '変更' },
  added: { en: 'added', ja: '追加' },
  removed: { en: 'removed', ja: '削除' },
  newHead: { en: 'Current head hash', ja: '現在の先頭ハッシュ' },
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
