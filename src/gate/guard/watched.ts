import { defineGuard, guardParameters, satisfied, failGuard } from '../guard.ts';
import { phrase } from '../phrase.ts';

/** A hook of the client has asked in this state. It detects hooks that are off; an agent could trigger one itself. */
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
    if (first === undefined) return failGuard(look, phrase.guardWatched({ client: client ?? '' }));
    return { ...satisfied, note: { client: first.client, session: first.session ?? null } };
  },
});
