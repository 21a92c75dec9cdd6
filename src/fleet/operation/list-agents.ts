import * as z from 'zod';
import { profiles } from '../ports.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/page.ts';
import { text } from '../../kernel/row.ts';
import { limitInput } from '../../kernel/page-input.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from '../plan/settle.ts';
import { agentSchema, cursorInput, mutable } from '../shapes.ts';
import { agentState, inShort, statuses } from '../view/state.ts';
import { told } from '../../kernel/told.ts';

export const listAgents = defineOperation({
  name: 'list_agents',
  toolsets: ['fleet', 'work'],
  effect: 'read',
  summary: {
    en: 'Agents of this project that run or ran, newest first, with long results cut, and the registered identities.',
    ja: 'このプロジェクトのエージェント (新しい順、長い結果は省略) と、登録済みの ID の一覧です。',
  },
  example: '--status running',
  input: z.strictObject({
    groupId: told(z.string().optional(), { en: 'Only agents of this group', ja: 'このグループのエージェントだけ' }),
    status: told(z.enum([...statuses, 'all']).optional(), {
      en: 'Only in this state; default: all',
      ja: 'この状態のものだけ (既定はすべて)',
    }),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    agents: z.array(agentSchema),
    total: z.number(),
    profiles: z.array(z.record(z.string(), z.unknown())),
    nextCursor: z.string().optional(),
  }),
  async run(context, input) {
    await settle(fleetContext(context));
    const status = input.status === 'all' ? undefined : input.status;
    const where = `project = :project ${input.groupId === undefined ? '' : 'and group_id = :group'} ${status === undefined ? '' : 'and status = :status'}`;
    const filter = {
      project: context.project.key,
      ...(input.groupId !== undefined && { group: input.groupId }),
      ...(status !== undefined && { status }),
    };
    const [rows = [], [counted] = []] = await context.store.read([
      {
        sql: `select * from fleet_agent where ${where} and ord < :before order by ord desc limit :limit`,
        // Ids are time-ordered; "~" sorts behind every one of them.
        args: { ...filter, before: decodeCursor(input.cursor) ?? '~', limit: input.limit + 1 },
      },
      { sql: `select count(*) as total from fleet_agent where ${where}`, args: filter },
    ]);
    const page = cutPage(rows, input.limit, (row) => text(row, 'ord'));
    const now = context.now();
    return {
      agents: page.rows.map((row) => mutable(inShort(agentState(row, now))) as z.input<typeof agentSchema>),
      total: Number(counted?.['total']),
      profiles: [...(await profiles.of(context)(context))],
      ...(page.next !== undefined && { nextCursor: page.next }),
    };
  },
});
