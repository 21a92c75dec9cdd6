import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useProject } from '../app/project.tsx';
import { call } from './client.ts';
import type { Input, Name, Output } from './operations.ts';
import { useRefresh } from './queries.ts';

/** Something that a person does. Afterwards, refused or not, what is shown is asked for anew. */
export function useAction<N extends Name>(
  name: N,
  onDone: (answer: Output<N>) => void = () => undefined,
): UseMutationResult<Output<N>, Error, Input<N>> {
  const project = useProject();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: Input<N>) => call(project, name, input),
    onSuccess: onDone,
    onSettled: refresh,
  });
}
