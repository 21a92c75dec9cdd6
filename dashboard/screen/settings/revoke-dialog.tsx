import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callUser } from '../../api/client.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  revoke: { en: 'Revoke', ja: '無効にする' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
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
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      {revoke.error !== null && <Failure error={revoke.error} />}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {t.cancel}
        </button>
        <button type="button" className="primary" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          {t.revoke}
        </button>
      </div>
    </Dialog>
  );
}
