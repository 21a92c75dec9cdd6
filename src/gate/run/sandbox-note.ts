import type { Context } from '../../kernel/context.ts';
import { phrase } from '../phrase.ts';
import { shutInPort } from '../ports.ts';

/** The third ring, as it is round whoever asks: remembered from its start, since no process can try its own sandbox. */
export async function sandboxNote(context: Context): Promise<{ state: 'on' | 'off'; found: string }> {
  const inside = await shutInPort.of(context)(context);
  if (inside === undefined) return { state: 'off', found: context.say(phrase.outside()) };
  const { sandbox, ring } = inside;
  if (ring < 3) return { state: 'off', found: context.say(phrase.storeWithinReach({ sandbox })) };
  return { state: 'on', found: context.say(phrase.inside({ sandbox })) };
}
