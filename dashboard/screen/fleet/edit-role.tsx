import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useProject } from '../../app/project.tsx';
import { Failure } from '../../component/failure.tsx';
import { TrustDialog } from '../inbox/trust-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';

interface Props {
  readonly id: string;
  /** A new one that begins as this one is. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** First the role, then the file that it changed: nothing of it holds before that was looked at. */
export function EditRole({ id, isNew, onClose }: Props) {
  const project = useProject();
  const [isWritten, setWritten] = useState(false);
  const { data, error } = useQuery({
    queryKey: [project, 'describe_role', id, 'edit'],
    queryFn: () => call(project, 'describe_role', { role_id: id }),
    staleTime: 0,
    gcTime: 0,
  });
  if (isWritten) return <TrustDialog file=".sekisho/config.yaml" onClose={onClose} />;
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return null;
  const role = isNew ? { ...data, role_id: '', name: '', description: '' } : data;
  return <RoleDialog role={role} onClose={onClose} onSaved={() => setWritten(true)} />;
}
