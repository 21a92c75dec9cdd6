import { useAction } from '../../api/action.ts';
import { about, useOperation } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  head: { en: 'Head of the chain', ja: 'チェーンの先頭' },
  keep: {
    en: 'Kept elsewhere, it shows later that nothing was cut off or written anew.',
    ja: '別の場所に控えておくと、後から切り取りや書き直しがないことを示せます。',
  },
  verify: { en: 'Verify', ja: '検証' },
  verifying: { en: 'Verifying…', ja: '検証中…' },
  sound: {
    en: (entries: number) => `All as it was written: ${entries} journal rows.`,
    ja: (entries) => `すべて記録どおりです (ジャーナル ${entries} 行)。`,
  },
  broken: {
    en: (count: number) => `Not as it was written: ${count} rows.`,
    ja: (count) => `記録と一致しません: ${count} 行`,
  },
});

/** What proves the history, and whether it still does. */
export function Proof({ runId }: { readonly runId: string }) {
  const t = useTexts(texts);
  const history = useOperation('state_gate.get_history', { run_id: runId, limit: 1 }, about(runId));
  const verify = useAction('verify_journal');
  const head = history.data?.head ?? '';
  return (
    <>
      <p className="meta">
        <span>{t.head}</span>
        {head !== '' && <ShortId id={head} length={16} />}
      </p>
      <p className="dim">{t.keep}</p>
      <p className="meta">
        <button type="button" disabled={verify.isPending} onClick={() => verify.mutate(head === '' ? {} : { head })}>
          {verify.isPending ? t.verifying : t.verify}
        </button>
        <span role="status">
          {verify.data?.ok === true && <span className="held">✓ {t.sound(verify.data.entries)}</span>}
          {verify.data?.ok === false && <span className="bad">✗ {t.broken(verify.data.fault_count)}</span>}
        </span>
      </p>
      {verify.data?.ok === false && (
        <ul className="bare">
          {verify.data.faults.map((fault) => (
            <li key={`${fault.table} ${fault.key.join(' ')}`} className="bad">
              {fault.table} {fault.key.join(' ')}: {fault.damage} ({fault.detail})
            </li>
          ))}
        </ul>
      )}
      {verify.error !== null && <Failure error={verify.error} />}
    </>
  );
}
