import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { described, words } from '../words.ts';

export const createGroup = defineOperation({
  name: 'create_group',
  toolsets: ['fleet'],
  effect: 'write',
  summary: words('Create a group for agents. Its first run_* call sets its mode unless you set it here.'),
  example: '--description "Review of the release"',
  input: z.strictObject({
    description: described(z.string(), 'Purpose of the group, in a few words'),
    mode: described(
      z.enum(['concurrent', 'sequential']).optional(),
      'concurrent: run_agents; sequential: run_sequential',
    ),
  }),
  output: z.object({
    groupId: z.string(),
    description: z.string(),
    mode: z.enum(['concurrent', 'sequential']).nullable(),
    createdAt: z.string(),
    status: z.literal('active'),
  }),
  async run(context, input) {
    const now = context.now();
    const createdAt = now.toISOString();
    const mode = input.mode ?? null;
    return retry(
      async () => {
        const ord = context.newId('');
        const groupId = `grp-${Math.floor(now.getTime() / 1000)}-${ord.slice(-4)}`;
        const outcome = await context.store.commit(
          [
            {
              sql: `insert into fleet_group (id, ord, project, description, mode, status, revision, created_at)
                values (:id, :ord, :project, :description, :mode, 'active', 0, :at)`,
              args: {
                id: groupId,
                ord,
                project: context.project.key,
                description: input.description,
                mode,
                at: createdAt,
              },
              rows: 1,
            },
          ],
          [entry(context, groupId, 'group.created', { description: input.description, mode })],
        );
        if (!outcome.done) return again;
        return { groupId, description: input.description, mode, createdAt, status: 'active' as const };
      },
      () => kernelProblem.STORE_BUSY({ what: 'create_group' }),
    );
  },
});
