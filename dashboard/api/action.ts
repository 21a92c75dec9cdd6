import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useProject } from '../app/project.tsx';
import { call } from './client.ts';
import type { Input, Name, Output } from './operations.ts';
import { useRefresh } from './queries.ts';

/** An operation that a person runs. Afterwards the page refreshes its data, even if the operation was refused. */
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
