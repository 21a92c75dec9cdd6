import { type Pages, usePages } from '../../api/pages.ts';
import { kinds } from '../../api/queries.ts';

/** A registered agent. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly type: string;
  readonly status: string;
}

/** Every registered agent, page by page. */
export function useIdentities(): Pages<Identity> {
  return usePages(
    'list_agents',
    { limit: 50 },
    kinds('identity.'),
    (answer) => identitiesOf(answer.profiles),
    'next_cursor',
  );
}

/** The identities in an answer of `list_agents`, whose output type does not describe them. */
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
