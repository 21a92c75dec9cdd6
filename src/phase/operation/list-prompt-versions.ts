import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { readVersions } from '../prompt/library.ts';
import { readLabels } from '../prompt/label.ts';
import { cursorInput, labelsOutput, promptInput } from '../shapes.ts';
import { words } from '../words.ts';

export const listPromptVersions = defineOperation({
  name: 'list_prompt_versions',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('All versions of a published prompt, newest first: who published each and when.'),
  example: '--prompt phase0',
  input: z.strictObject({ prompt: promptInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    versions: z.array(
      z.object({
        version: z.number(),
        title: z.string().nullable(),
        digest: z.string(),
        note: z.string().nullable(),
        actor: z.string(),
        at: z.string(),
      }),
    ),
    labels: labelsOutput,
    next_cursor: z.string().optional(),
  }),
  async run(context, input) {
    const before = decodePosition(input.cursor) ?? Number.MAX_SAFE_INTEGER;
    const rows = await readVersions(context, input.prompt, before, input.limit + 1);
    const page = cutPage(rows, input.limit, (one) => String(one.version));
    return {
      versions: page.rows.map(({ version, title, digest, note, actor, at }) => ({
        version,
        title: title ?? null,
        digest,
        note: note ?? null,
        actor,
        at,
      })),
      labels: await readLabels(context, input.prompt),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
