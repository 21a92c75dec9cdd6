import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/page.ts';
import { limitInput } from '../../kernel/page-input.ts';
import { listPrompts as readList } from '../prompt/library.ts';
import { cursorInput, labelsOutput } from '../shapes.ts';

export const listPrompts = defineOperation({
  name: 'list_prompts',
  toolsets: ['admin'],
  effect: 'read',
  summary: 'The prompts that were published in the store, with their newest versions and labels.',
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: z.object({
    prompts: z.array(
      z.object({ name: z.string(), latest: z.number(), title: z.string().nullable(), labels: labelsOutput }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run(context, input) {
    const rows = await readList(context, decodeCursor(input.cursor) ?? '', input.limit + 1);
    const page = cutPage(rows, input.limit, (one) => one.name);
    return {
      prompts: page.rows.map((one) => ({ ...one, title: one.title ?? null })),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
