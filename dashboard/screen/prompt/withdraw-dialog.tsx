import { useAction } from '../../api/action.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: (label: string) => `Take the label “${label}” off?`, ja: (label) => `ラベル「${label}」を外しますか?` },
  about: {
    en: (version: number) =>
      `It points at version ${version}. Whoever reads by it hears that the prompt is gone; every version stays.`,
    ja: (version) =>
      `現在はバージョン ${version} を指しています。このラベルで読む側には、プロンプトがなくなったと伝わります。バージョンはすべて残ります。`,
  },
  withdraw: { en: 'Take it off', ja: '外す' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  readonly prompt: string;
  readonly label: string;
  readonly version: number;
  readonly onClose: () => void;
}

export function WithdrawDialog({ prompt, label, version, onClose }: Props) {
  const t = useTexts(texts);
  const withdraw = useAction('withdraw_prompt', onClose);
  return (
    <Dialog title={t.title(label)} onClose={onClose}>
      <p>{t.about(version)}</p>
      {withdraw.error !== null && <Failure error={withdraw.error} />}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {t.cancel}
        </button>
        <button
          type="button"
          className="primary"
          disabled={withdraw.isPending}
          onClick={() => withdraw.mutate({ prompt, label })}
        >
          {t.withdraw}
        </button>
      </div>
    </Dialog>
  );
}
