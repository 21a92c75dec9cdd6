import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/store/page-input.ts';
import { rule } from '../kernel/text/rule.ts';
import { described, words } from './words.ts';

export const projectPathInput = described(
  z.string().optional(),
  'Root of a project other than the server’s; need not exist',
);

export const cursorInput = pageCursor('nextCursor');

export const promptInput = described(z.string().min(1), 'Name of the prompt: a phase, or a part that others include');

export const labelInput = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u)
  .refine((label) => label !== 'latest', rule(words('latest always points at the newest version')));

/** The answer of operations that point a label at another version. */
export const labelMoveOutput = z.object({
  prompt: z.string(),
  label: z.string(),
  version: z.number(),
  previous_version: z.number().nullable(),
});

export const labelsOutput = described(z.record(z.string(), z.number()), 'Which version each label points at');
