import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useProject } from '../../app/project.tsx';
import { Failure } from '../../component/failure.tsx';
import { TrustDialog } from '../inbox/trust-dialog.tsx';
import { DeleteRoleDialog } from './delete-role-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';

interface Props {
  readonly id: string;
  /** Creates a new role from this one. */
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** Edits a role, then shows the changed file. The change takes effect after a person reviewed that. */
export function EditRole({ id, isNew, onClose }: Props) {
  const project = useProject();
  const [step, setStep] = useState<'edit' | 'delete' | 'trust'>('edit');
  const { data, error } = useQuery({
    queryKey: [project, 'describe_role', id, 'edit'],
    queryFn: () => call(project, 'describe_role', { role_id: id }),
    staleTime: 0,
    gcTime: 0,
  });
  if (step === 'trust') return <TrustDialog file=".sekisho/config.yaml" onClose={onClose} />;
  if (step === 'delete') return <DeleteRoleDialog id={id} onClose={onClose} onDeleted={() => setStep('trust')} />;
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return null;
  const role = isNew ? { ...data, role_id: '', name: '', description: '' } : data;
  return (
    <RoleDialog role={role} onClose={onClose} onSaved={() => setStep('trust')} onDelete={() => setStep('delete')} />
  );
}
