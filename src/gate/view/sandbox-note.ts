import type { Context } from '../../kernel/context.ts';
import { phrase } from '../phrase.ts';
import { clientsWithHooks, shutInPort } from '../ports.ts';
import { findOwnClient } from '../evidence/hook-coverage.ts';

/** Describes the caller's sandbox (ring 3) as recorded at its start: a process cannot test its own sandbox. */
export async function sandboxNote(context: Context): Promise<{ state: 'on' | 'off'; found: string }> {
  const inside = await shutInPort.of(context)(context);
  if (inside === undefined)
    return { state: 'off', found: context.say(phrase.outside({ client: clientArgument(context) })) };
  const { sandbox, ring } = inside;
  if (ring < 3) return { state: 'off', found: context.say(phrase.storeWithinReach({ sandbox })) };
  return { state: 'on', found: context.say(phrase.inside({ sandbox })) };
}

/** Returns the client argument for `sekisho run`: the calling client, otherwise those with hooks. */
function clientArgument(context: Context): string {
  const prepared = clientsWithHooks.of(context)(context.project);
  return findOwnClient(context) ?? (prepared.length === 0 ? '<client>' : prepared.join('|'));
}
