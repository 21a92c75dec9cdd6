import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/store/page-input.ts';
import { told } from '../kernel/text/described.ts';
import { rule } from '../kernel/text/rule.ts';

/** Pieces of input and output that several operations share. */
export const projectPathInput = told(z.string().optional(), {
  en: 'Root of another project than the server’s; need not exist',
  ja: 'サーバーとは別のプロジェクトのルート (存在しなくてもかまいません)',
});

export const cursorInput = pageCursor('nextCursor');

export const promptInput = told(z.string().min(1), {
  en: 'Name of the prompt: a phase, or a part that others include',
  ja: 'プロンプトの名前 (フェーズ、またはほかから取り込まれる部品)',
});

export const labelInput = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u)
  .refine(
    (label) => label !== 'latest',
    rule({ en: 'latest always points at the newest version', ja: 'latest は常に最新のバージョンを指します' }),
  );

export const labelsOutput = told(z.record(z.string(), z.number()), {
  en: 'Which version each label points at',
  ja: '各ラベルが指すバージョン',
});
