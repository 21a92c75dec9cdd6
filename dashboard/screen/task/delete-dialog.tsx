import { useAction } from '../../api/action.ts';
import { useGo } from '../../app/address.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Delete the task?', ja: 'タスクを削除しますか?' },
  about: {
    en: 'Its context, hand-offs and executions go with it. What happened stays in the journal. A task that others wait for is not deleted.',
    ja: '作業の状況、引き継ぎ、作業の記録も消えます。出来事はジャーナルに残ります。ほかのタスクが待っている場合は削除されません。',
  },
  remove: { en: 'Delete', ja: '削除' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  readonly task: { readonly task_id: string; readonly title: string };
  readonly onClose: () => void;
}

export function DeleteDialog({ task, onClose }: Props) {
  const t = useTexts(texts);
  const go = useGo();
  const remove = useAction('delete_task', () => go('/board'));
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p>
        <b>
          <Visible text={task.title} />
        </b>
      </p>
      <p>{t.about}</p>
      {remove.error !== null && <Failure error={remove.error} />}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {t.cancel}
        </button>
        <button
          type="button"
          className="primary"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ task_id: task.task_id })}
        >
          {t.remove}
        </button>
      </div>
    </Dialog>
  );
}
