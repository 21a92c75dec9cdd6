import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callUser } from '../../api/client.ts';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  revoke: { en: 'Revoke', ja: '無効にする' },
});

interface Props {
  readonly call: 'revoke_session' | 'revoke_token';
  readonly id: string;
  readonly title: string;
  /** What ends with it. */
  readonly about: string;
  readonly onClose: () => void;
}

/** Ends a session or a token, after saying what that means. */
export function RevokeDialog({ call, id, title, about, onClose }: Props) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => callUser(call, { id }),
    onSuccess: onClose,
    onSettled: () => void queries.invalidateQueries({ queryKey: ['user'] }),
  });
  return (
    <ConfirmDialog
      title={title}
      about={about}
      act={t.revoke}
      error={revoke.error}
      isPending={revoke.isPending}
      onAct={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}
