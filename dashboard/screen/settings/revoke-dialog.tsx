import type { ReactNode } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callUser } from '../../api/client.ts';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({ revoke: { en: 'Revoke', ja: '無効にする' } });

interface Props {
  readonly call: 'revoke_session' | 'revoke_token' | 'remove_person';
  readonly input: object;
  readonly title: string;
  /** The consequences. */
  readonly about: string;
  /** The label of the button; "Revoke" by default. */
  readonly act?: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Ends a session, revokes a token or removes a person, after it has shown the consequences. */
export function RevokeDialog({ call, input, title, about, act, children, onClose }: Props) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => callUser(call, input),
    onSuccess: onClose,
    onSettled: () => void queries.invalidateQueries({ queryKey: ['user'] }),
  });
  return (
    <ConfirmDialog
      title={title}
      about={about}
      act={act ?? t.revoke}
      error={revoke.error}
      isPending={revoke.isPending}
      onAct={() => revoke.mutate()}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
