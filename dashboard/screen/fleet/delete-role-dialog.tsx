import { useQuery } from '@tanstack/react-query';
import { useAction } from '../../api/action.ts';
import { ask } from '../../api/client.ts';
import { useProject } from '../../app/project.tsx';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { Loading } from '../../component/loading.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: (id: string) => `Delete ${id}?`, ja: (id) => `${id} を削除しますか?` },
  remove: { en: 'Delete it', ja: '削除する' },
});

interface Props {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Shows the consequences, and deletes the role from exactly the version of the file that was shown. */
export function DeleteRoleDialog({ id, onClose, onDeleted }: Props) {
  const t = useTexts(texts);
  const project = useProject();
  const asked = useQuery({
    queryKey: [project, 'delete_role', 'ask', id],
    queryFn: () => ask(project, 'delete_role', { role_id: id }),
    staleTime: 0,
    gcTime: 0,
  });
  const remove = useAction('delete_role', onDeleted);
  return (
    <ConfirmDialog
      title={t.title(id)}
      about={asked.data?.text ?? ''}
      act={t.remove}
      error={asked.error ?? remove.error}
      isPending={asked.data === undefined || remove.isPending}
      onAct={() => asked.data !== undefined && remove.mutate(asked.data.input)}
      onClose={onClose}
    >
      {asked.isPending && <Loading />}
    </ConfirmDialog>
  );
}
