import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import type { Output } from '../../api/operations.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { type Status, statusTexts } from '../../component/task-status.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Move the task', ja: 'タスクを移動' },
  from: { en: (state: string) => `Current status: ${state}`, ja: (state) => `現在の状態: ${state}` },
  to: { en: 'Move to', ja: '移動先' },
  reason: { en: 'Reason (kept in the journal)', ja: '理由 (ジャーナルに残ります)' },
  force: {
    en: 'Close it although its process has not ended (needs a reason)',
    ja: 'プロセスが終わっていなくても完了にする (理由が必要です)',
  },
  reopens: {
    en: 'This task is closed. You can reopen it; its process then starts from the beginning.',
    ja: 'このタスクは閉じています。再開できますが、プロセスは最初からになります。',
  },
  move: { en: 'Move', ja: '移動' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  readonly task: Pick<
    Output<'list_cards'>['cards'][number],
    'task_id' | 'title' | 'status' | 'revision' | 'moves' | 'run'
  >;
  readonly onClose: () => void;
}

/** Moves a task to another status. A refusal is explained, and the task stays where it is. */
export function MoveDialog({ task, onClose }: Props) {
  const t = useTexts(texts);
  const names = useTexts(statusTexts);
  const isClosed = task.moves.length === 0;
  const possible: readonly Status[] = isClosed ? ['todo', 'backlog'] : task.moves;
  const [to, setTo] = useState<Status>(possible[0] ?? 'todo');
  const [reason, setReason] = useState('');
  const [force, setForce] = useState(false);
  const move = useAction('update_task', onClose);
  const reopen = useAction('reopen_task', onClose);
  const { error, isPending } = isClosed ? reopen : move;
  const said = reason.trim() === '' ? {} : { reason };
  const asksForce = to === 'done' && task.run !== null && task.run.status !== 'completed';
  return (
    <Dialog title={t.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isClosed) reopen.mutate({ task_id: task.task_id, status: to === 'backlog' ? to : 'todo', ...said });
          else
            move.mutate({
              task_id: task.task_id,
              status: to,
              expected_revision: task.revision,
              ...said,
              ...(asksForce && force && { force }),
            });
        }}
      >
        <p>
          <b>
            <Visible text={task.title} />
          </b>
          <br />
          <span className="dim">{t.from(names[task.status])}</span>
        </p>
        {isClosed && <p>{t.reopens}</p>}
        <label>
          {t.to}
          <select value={to} onChange={(event) => setTo(event.target.value as Status)}>
            {possible.map((status) => (
              <option key={status} value={status}>
                {names[status]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.reason}
          <textarea rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
        </label>
        {asksForce && (
          <label className="check">
            <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} />
            <span>{t.force}</span>
          </label>
        )}
        {error !== null && <Failure error={error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button
            type="submit"
            className="primary"
            disabled={isPending || (asksForce && force && reason.trim() === '')}
          >
            {t.move}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
