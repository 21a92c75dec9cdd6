import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from '../plan/settle.ts';
import { text } from '../../kernel/store/row.ts';
import { cursorInput, groupSchema } from '../shapes.ts';
import { groupRecords, groupsOf } from '../view/group.ts';
import { described, words } from '../words.ts';

export const listGroups = defineOperation({
  name: 'list_groups',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'Agent groups of this project, newest first, including deleted ones, with agent counts by state and total tokens and cost.',
  ),
  example: '--limit 10',
  input: z.strictObject({
    groupId: described(z.string().optional(), 'Only this group'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ groups: z.array(groupSchema), nextCursor: z.string().optional() }),
  async run(context, { groupId, limit, cursor }) {
    await settle(fleetContext(context));
    const which = `project = :project and ord < :before ${groupId === undefined ? '' : 'and id = :group'} order by ord desc limit :limit`;
    const [groups = [], members = [], plans = []] = await context.store.read(
      groupsOf({
        sql: which,
        args: {
          project: context.project.key,
          // Ids are time-ordered; "~" sorts after all of them.
          before: decodeCursor(cursor) ?? '~',
          limit: limit + 1,
          ...(groupId !== undefined && { group: groupId }),
        },
      }),
    );
    const page = cutPage(groups, limit, (row) => text(row, 'ord'));
    return {
      groups: groupRecords(page.rows, members, plans),
      ...(page.next !== undefined && { nextCursor: page.next }),
    };
  },
});
