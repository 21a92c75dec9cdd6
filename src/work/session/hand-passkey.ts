import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { keepPasskey } from '../runner/passkey-file.ts';
import { phrase } from '../problem.ts';

/** The output fields for a new passkey: the passkey itself, or the file that it was saved in. */
export const handedPasskey = {
  passkey: z.string().optional(),
  passkey_file: z.string().optional(),
  instruction: z.string(),
};

export function handPasskey(context: Context, agentId: string, passkey: string, keep: boolean | undefined) {
  if (keep !== true) return { passkey, instruction: context.say(phrase.instructionPasskey({ agentId })) };
  const file = keepPasskey(context, agentId, passkey);
  return { passkey_file: file, instruction: context.say(phrase.instructionKept({ file })) };
}
