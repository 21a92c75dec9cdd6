import * as z from 'zod';
import { defineGuard } from '../guard.ts';
import { phrase } from '../phrase.ts';

/**
 * A hook of the client has asked in this state. This detects hooks that are off by mistake; a malicious agent can trigger a
 * hook itself. Sessions are compared if both sides name one, otherwise clients.
 */
export const watched = defineGuard({
  type: 'watched',
  parameters: z.strictObject({ type: z.literal('watched'), description: z.string().optional() }),
  async check(_spec, look) {
    const { client, session } = look.caller;
    const receipts = await look.receipts();
    const own = receipts.filter((one) => client === undefined || client.toLowerCase().includes(one.client));
    const named = session !== undefined && own.some((one) => one.session !== undefined);
    const counted = named ? own.filter((one) => one.session === session) : own;
    const first = counted[0];
    if (first !== undefined)
      return { satisfied: true, reason: '', note: { client: first.client, session: first.session ?? null } };
    return { satisfied: false, reason: look.say(phrase.guardWatched({ client: client ?? '' })) };
  },
});
