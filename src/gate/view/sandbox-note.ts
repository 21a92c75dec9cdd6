import type { Context } from '../../kernel/context.ts';
import { clientsWithHooks } from '../../kernel/prepared.ts';
import { phrase } from '../phrase.ts';
import { shutInPort } from '../ports.ts';
import { findOwnClient } from '../evidence/hook-coverage.ts';

/** The third ring, as it is round whoever asks: remembered from its start, since no process can try its own sandbox. */
export async function sandboxNote(context: Context): Promise<{ state: 'on' | 'off'; found: string }> {
  const inside = await shutInPort.of(context)(context);
  if (inside === undefined)
    return { state: 'off', found: context.say(phrase.outside({ client: clientAtHand(context) })) };
  const { sandbox, ring } = inside;
  if (ring < 3) return { state: 'off', found: context.say(phrase.storeWithinReach({ sandbox })) };
  return { state: 'on', found: context.say(phrase.inside({ sandbox })) };
}

/** As `sekisho run` takes it: the one that asks, else those that were prepared. */
function clientAtHand(context: Context): string {
  const prepared = clientsWithHooks.of(context)(context.project);
  return findOwnClient(context) ?? (prepared.length === 0 ? '<client>' : prepared.join('|'));
}
