import { useAction } from '../../api/action.ts';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: (label: string) => `Remove the label “${label}”?`, ja: (label) => `ラベル「${label}」を外しますか?` },
  about: {
    en: (version: number) =>
      `It points to version ${version}. Clients that use this label will get “not found”. No version is deleted.`,
    ja: (version) =>
      `現在はバージョン ${version} を指しています。このラベルを使うクライアントには「見つかりません」と返ります。バージョンはすべて残ります。`,
  },
  withdraw: { en: 'Remove', ja: '外す' },
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
    <ConfirmDialog
      title={t.title(label)}
      about={t.about(version)}
      act={t.withdraw}
      error={withdraw.error}
      isPending={withdraw.isPending}
      onAct={() => withdraw.mutate({ prompt, label })}
      onClose={onClose}
    />
  );
}
