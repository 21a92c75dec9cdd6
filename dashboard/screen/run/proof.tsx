import { about, useOperation } from '../../api/queries.ts';
import { ShortId } from '../../component/short-id.tsx';
import { Verification } from '../../component/verification.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  head: { en: 'Head hash of the chain', ja: 'チェーンの先頭ハッシュ' },
  keep: {
    en: 'Save this value somewhere else. With it you can prove later that no history was cut off or rewritten.',
    ja: 'この値を別の場所に保存しておくと、履歴の削除や書き換えがないことを後で証明できます。',
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
