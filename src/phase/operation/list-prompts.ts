import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { listPrompts as readList } from '../prompt/library.ts';
import { settings } from '../settings.ts';
import { cursorInput, labelsOutput } from '../shapes.ts';
import { sourceOf } from '../source/sources.ts';
import { described, words } from '../words.ts';

export const listPrompts = defineOperation({
  name: 'list_prompts',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('The prompts that were published in the store, with their newest versions and labels.'),
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: z.object({
    prompts: z.array(
      z.object({ name: z.string(), latest: z.number(), title: z.string().nullable(), labels: labelsOutput }),
    ),
    source: described(
      z.string(),
      'Source of the prompts for clients of this project: store, shipped, a folder or a URL',
    ),
    served_label: described(z.string().nullable(), 'The label that they get; null if the store is not the source'),
    next_cursor: z.string().optional(),
  }),
  async run(context, input) {
    const rows = await readList(context, decodeCursor(input.cursor) ?? '', input.limit + 1);
    const page = cutPage(rows, input.limit, (one) => one.name);
    const { source, label } = settings.of(context).phases;
    return {
      prompts: page.rows.map((one) => ({ ...one, title: one.title ?? null })),
      source: source === 'store' ? 'store' : sourceOf(context).id,
      served_label: source === 'store' ? label : null,
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
