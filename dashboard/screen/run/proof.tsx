import { about, useOperation } from '../../api/queries.ts';
import { ShortId } from '../../component/short-id.tsx';
import { Verification } from '../../component/verification.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  head: { en: 'Head of the chain', ja: 'チェーンの先頭' },
  keep: {
    en: 'Kept elsewhere, it shows later that nothing was cut off or written anew.',
    ja: '別の場所に控えておくと、後から切り取りや書き直しがないことを示せます。',
  },
});

/** The head hash that proves the history, and its verification. */
export function Proof({ runId }: { readonly runId: string }) {
  const t = useTexts(texts);
  const history = useOperation('state_gate.get_history', { run_id: runId, limit: 1 }, about(runId));
  const head = history.data?.head ?? '';
  return (
    <>
      <p className="meta">
        <span>{t.head}</span>
        {head !== '' && <ShortId id={head} length={16} />}
      </p>
      <p className="dim">{t.keep}</p>
      <Verification head={head} />
    </>
  );
}
