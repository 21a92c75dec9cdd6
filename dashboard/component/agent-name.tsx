import { kinds, useOperation } from '../api/queries.ts';
import { Visible } from './visible.tsx';

/** The name of a registered agent, with the id on hover; the id if there is no name. */
export function AgentName({ id }: { readonly id: string }) {
  const { data } = useOperation('list_instances', { limit: 500 }, kinds('project.', 'identity.'));
  const found = data?.instances.find((one) => one.agent_id === id);
  return (
    <span title={id}>
      <Visible text={found?.agent_name ?? id} />
    </span>
  );
}
