import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Abort this run?', ja: 'この run を中止しますか?' },
  about: {
    en: 'The run ends in its current state and cannot be reopened. It does not count as done, and no one is asked to approve it. A task that follows it is blocked; a retry starts a new run.',
    ja: 'run は今の状態で終了し、再開はできません。完了とは扱われず、承認待ちからも外れます。この run に従うタスクはブロックされ、再試行すると新しい run が始まります。',
  },
  reason: { en: 'Why (kept in the history)', ja: '理由 (履歴に残ります)' },
  abort: { en: 'Abort', ja: '中止する' },
  keep: { en: 'Keep it open', ja: '続ける' },
});

interface Props {
  readonly runId: string;
  readonly onClose: () => void;
}

export function AbortDialog({ runId, onClose }: Props) {
  const t = useTexts(texts);
  const [reason, setReason] = useState('');
  const abort = useAction('abort_run', onClose);
  return (
    <ConfirmDialog
      title={t.title}
      about={t.about}
      act={t.abort}
      keep={t.keep}
      error={abort.error}
      isPending={abort.isPending || reason.trim() === ''}
      onAct={() => abort.mutate({ run_id: runId, reason })}
      onClose={onClose}
    >
      <label>
        {t.reason}
        <textarea rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
    </ConfirmDialog>
  );
}
