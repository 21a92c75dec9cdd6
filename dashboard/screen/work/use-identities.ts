import { type Pages, usePages } from '../../api/pages.ts';
import { kinds } from '../../api/queries.ts';

/** An agent that is registered. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly type: string;
  readonly status: string;
}

/** Every agent that is registered, page by page. */
export function useIdentities(): Pages<Identity> {
  return usePages(
    'list_agents',
    { limit: 50 },
    kinds('identity.'),
    (answer) => identitiesOf(answer.profiles),
    'next_cursor',
  );
}

/** `list_agents` is the fleet's and does not say what its identities are made of. */
function identitiesOf(profiles: readonly Readonly<Record<string, unknown>>[]): readonly Identity[] {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return profiles.map((one) => ({
    id: text(one['agent_id']),
    name: text(one['agent_name']),
    role: text(one['role']),
    type: text(one['ai_type']),
    status: text(one['status']),
  }));
}
