import { useAction } from '../../api/action.ts';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: {
    en: (count: number) => (count === 1 ? 'Cancel this agent?' : `Cancel ${count} agents?`),
    ja: (count) => `${count} 件のエージェントを取り消しますか?`,
  },
  about: {
    en: 'A queued one never starts. A running one is ended with everything that it started; what it changed stays.',
    ja: '待機中のものは開始されません。実行中のものは、起動したプログラムごと終了します。変更したファイルはそのまま残ります。',
  },
  cancel: { en: 'Cancel them', ja: '取り消す' },
  keep: { en: 'Let them run', ja: '続けさせる' },
});

interface Props {
  readonly agentIds: readonly string[];
  readonly onClose: () => void;
}

export function CancelDialog({ agentIds, onClose }: Props) {
  const t = useTexts(texts);
  const cancel = useAction('cancel_agents', onClose);
  return (
    <ConfirmDialog
      title={t.title(agentIds.length)}
      about={t.about}
      act={t.cancel}
      keep={t.keep}
      error={cancel.error}
      isPending={cancel.isPending}
      onAct={() => cancel.mutate({ agentIds: [...agentIds] })}
      onClose={onClose}
    />
  );
}
