import { defineGuard, guardParameters, satisfied, unsatisfied } from '../guard.ts';
import { phrase } from '../phrase.ts';

/**
 * A hook of the client has asked in this state. This detects hooks that are off by mistake; a malicious agent can trigger a
 * hook itself. Sessions are compared if both sides name one, otherwise clients.
 */
export const watched = defineGuard({
  type: 'watched',
  parameters: guardParameters('watched', {}),
  async check(_spec, look) {
    const { client, session } = look.caller;
    const receipts = await look.receipts();
    const own = receipts.filter((one) => client === undefined || client.toLowerCase().includes(one.client));
    const named = session !== undefined && own.some((one) => one.session !== undefined);
    const counted = named ? own.filter((one) => one.session === session) : own;
    const [first] = counted;
    if (first === undefined) return unsatisfied(look, phrase.guardWatched({ client: client ?? '' }));
    return { ...satisfied, note: { client: first.client, session: first.session ?? null } };
  },
});
