import * as z from 'zod';
import { profiles } from '../ports.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor, encodeCursor } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { cursorText, limitInput } from '../../kernel/store/page-input.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from '../plan/settle.ts';
import { agentSchema, asMutable } from '../shapes.ts';
import { agentState, shortenAgent, statuses } from '../view/state.ts';
import { described, words } from '../words.ts';

/** Prefix of a cursor's key for the list of identities; that list's own cursor follows. */
const ofProfiles = 'profiles.';

export const listAgents = defineOperation({
  name: 'list_agents',
  toolsets: ['fleet', 'work'],
  effect: 'read',
  summary: words(
    'Current and past agents of this project, newest first, with long results cut, and the registered identities.',
  ),
  example: '--status running',
  input: z.strictObject({
    groupId: described(z.string().optional(), 'Only agents of this group'),
    status: described(z.enum([...statuses, 'all']).optional(), 'Only in this state; default: all'),
    limit: limitInput,
    cursor: described(cursorText, 'From nextCursor (more agents) or next_cursor (more profiles)'),
  }),
  output: z.object({
    agents: z.array(agentSchema),
    total: z.number(),
    profiles: z.array(z.record(z.string(), z.unknown())),
    nextCursor: described(z.string().optional(), 'Present if there are more agents'),
    next_cursor: described(cursorText, 'Present if there are more profiles'),
  }),
  async run(context, input) {
    await settle(fleetContext(context));
    // A cursor continues one list; the other list was in its first page.
    const { limit, cursor } = input;
    const key = decodeCursor(cursor);
    const isOfProfiles = key?.startsWith(ofProfiles) === true;
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
        // Ids are time-ordered; "~" sorts after all of them.
        args: { ...filter, before: key ?? '~', limit: isOfProfiles ? 0 : limit + 1 },
      },
      { sql: `select count(*) as total from fleet_agent where ${where}`, args: filter },
    ]);
    const page = cutPage(rows, limit, (row) => text(row, 'ord'));
    const identities =
      key === undefined || isOfProfiles
        ? await profiles.of(context)(context, limit, key?.slice(ofProfiles.length))
        : { rows: [], next: undefined };
    const now = context.now();
    return {
      agents: page.rows.map((row) => asMutable(shortenAgent(agentState(row, now))) as z.input<typeof agentSchema>),
      total: Number(counted?.['total']),
      profiles: [...identities.rows],
      ...(page.next !== undefined && { nextCursor: page.next }),
      ...(identities.next !== undefined && { next_cursor: encodeCursor(ofProfiles + identities.next) }),
    };
  },
});
