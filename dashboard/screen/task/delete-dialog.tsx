import { useAction } from '../../api/action.ts';
import { useGo } from '../../app/address.ts';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Delete the task?', ja: 'タスクを削除しますか?' },
  about: {
    en: 'Its context, hand-offs and executions are deleted too. The journal keeps what happened. A task that other tasks depend on cannot be deleted.',
    ja: '作業の状況、引き継ぎ、作業の記録も消えます。出来事はジャーナルに残ります。ほかのタスクが依存している場合は削除できません。',
  },
  remove: { en: 'Delete', ja: '削除' },
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
    <ConfirmDialog
      title={t.title}
      about={t.about}
      act={t.remove}
      error={remove.error}
      isPending={remove.isPending}
      onAct={() => remove.mutate({ task_id: task.task_id })}
      onClose={onClose}
    >
      <p>
        <b>
          <Visible text={task.title} />
        </b>
      </p>
    </ConfirmDialog>
  );
}
