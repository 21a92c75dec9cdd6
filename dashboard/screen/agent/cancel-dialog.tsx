import { useAction } from '../../api/action.ts';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: {
    en: (count: number) => (count === 1 ? 'Cancel this agent?' : `Cancel ${count} agents?`),
    ja: (count) => `${count} 件のエージェントを中止しますか?`,
  },
  about: {
    en: 'Queued agents never start. Running agents are stopped, with every program they started. Their changes to files stay.',
    ja: '待機中のエージェントは開始されません。実行中のエージェントは、起動したプログラムごと終了します。変更したファイルはそのまま残ります。',
  },
  cancel: { en: 'Cancel them', ja: '中止する' },
  keep: { en: 'Keep running', ja: '続けさせる' },
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
