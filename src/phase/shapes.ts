import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/page-input.ts';

/** Pieces of input and output that several operations share. */
export const projectPathInput = z
  .string()
  .optional()
  .describe('Root of another project than the server’s; need not exist');

export const cursorInput = pageCursor('nextCursor');

export const promptInput = z.string().min(1).describe('Name of the prompt: a phase, or a part that others include');

export const labelInput = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u)
  .refine((label) => label !== 'latest', 'latest always points at the newest version');

export const labelsOutput = z.record(z.string(), z.number()).describe('Which version each label points at');
