import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { type FileTrust, configurationNote } from '../../kernel/trust.ts';
import { phrase } from '../phrase.ts';
import { described } from '../words.ts';

export const trustOutput = {
  untrusted: z.literal(true).optional(),
  trust_note: described(z.string().optional(), 'Present if the file is not the version that a person last trusted'),
};

export function trustNote(
  { say, project }: Pick<Context, 'say' | 'project'>,
  file: string,
  trust: FileTrust,
): { readonly untrusted?: true; readonly trust_note?: string } {
  const notes = [
    ...(trust === 'trusted' ? [] : [trust === 'never' ? phrase.neverTrusted({ file }) : phrase.lastTrusted({ file })]),
    ...[configurationNote(project.configuration)].filter((one) => one !== undefined),
  ];
  return {
    ...(trust === 'never' && { untrusted: true as const }),
    ...(notes.length > 0 && { trust_note: notes.map((one) => say(one)).join(' ') }),
  };
}
