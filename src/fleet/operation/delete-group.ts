import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from '../plan/settle.ts';
import { groupIdInput } from '../shapes.ts';
import { readGroup } from '../plan/submit.ts';
import { problem } from '../problem.ts';
import { words } from '../words.ts';

export const deleteGroup = defineOperation({
  name: 'delete_group',
  toolsets: ['fleet'],
  effect: 'write',
  idempotent: true,
  summary: words('Delete a group that has no queued or running agents. Its agents and results stay readable.'),
  example: '--group-id grp-1767225600-1a2b',
  input: z.strictObject({ groupId: groupIdInput }),
  output: z.object({ deleted: z.literal(true), groupId: z.string() }),
  async run(context, { groupId }) {
    const answer = { deleted: true as const, groupId };
    await readGroup(context, groupId);
    await settle(fleetContext(context));
    return retry(
      async () => {
        const [[group] = [], [counted] = []] = await context.store.read([
          { sql: 'select status, revision from fleet_group where id = :id', args: { id: groupId } },
          {
            sql: `select count(*) as live from fleet_agent where group_id = :id and status in ('queued', 'running')`,
            args: { id: groupId },
          },
        ]);
        if (group?.['status'] !== 'active') return answer;
        const live = Number(counted?.['live']);
        if (live > 0) throw problem.GROUP_HAS_RUNNING_AGENTS({ groupId, live });
        const outcome = await context.store.commit(
          [
            {
              // Starting agents increments the revision too, so no agent can be added in between.
              sql: `update fleet_group set status = 'deleted', revision = revision + 1
                where id = :id and revision = :revision and status = 'active'`,
              args: { id: groupId, revision: Number(group['revision']) },
              rows: 1,
            },
          ],
          [entry(context, groupId, 'group.deleted', {})],
        );
        return outcome.done ? answer : again;
      },
      () => kernelProblem.STORE_BUSY({ what: groupId }),
    );
  },
});
