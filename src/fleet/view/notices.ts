import type { Context } from '../../kernel/context.ts';
import type { Notice } from '../../kernel/notice.ts';
import { text } from '../../kernel/store/row.ts';
import type { Recorded } from '../../kernel/store/store.ts';
import { readAgent } from '../agent-rows.ts';
import { phrase } from '../problem.ts';
import { agentState } from './state.ts';

/** Notices about agents that failed and groups in which nothing runs any more. */
export async function notices(context: Context, entry: Recorded): Promise<readonly Notice[]> {
  if (entry.kind !== 'agent.ended') return finishedNotices(context, entry.subject);
  const row = await readAgent(context, entry.subject);
  if (row === undefined) return [];
  const { agentId, role, groupId, result, stageIndex } = agentState(row, context.now());
  const failed: readonly Notice[] =
    result?.status === 'failure' || result?.status === 'timeout'
      ? [
          {
            topic: 'failed',
            subject: agentId,
            title: role,
            text: phrase.noticeFailed({ role, reason: result.errorMessage ?? result.summary }),
            path: `/fleet/agents/${agentId}`,
          },
        ]
      : [];
  // For stages, the plan's own entry tells when the last one is over.
  const isLast = groupId !== null && stageIndex === null && (await findLastAgent(context, groupId)) === agentId;
  return isLast ? [...failed, ...(await finishedNotices(context, groupId))] : failed;
}

/** Returns the agent that ended last in the group; undefined while others are running. */
async function findLastAgent(context: Context, groupId: string): Promise<string | undefined> {
  const [[live] = [], [last] = []] = await context.store.read([
    {
      sql: `select id from fleet_agent where group_id = :group and status in ('queued', 'running') limit 1`,
      args: { group: groupId },
    },
    {
      sql: 'select id from fleet_agent where group_id = :group order by ended_at desc, id desc limit 1',
      args: { group: groupId },
    },
  ]);
  return live === undefined && last !== undefined ? text(last, 'id') : undefined;
}

async function finishedNotices(context: Context, groupId: string): Promise<readonly Notice[]> {
  const args = { group: groupId };
  const [[group] = [], agents = []] = await context.store.read([
    { sql: 'select description from fleet_group where id = :group', args },
    { sql: 'select * from fleet_agent where group_id = :group', args },
  ]);
  if (group === undefined) return [];
  const now = context.now();
  const failed = agents.filter((row) => agentState(row, now).result?.status !== 'success').length;
  return [
    {
      topic: 'finished',
      subject: groupId,
      title: text(group, 'description'),
      text: phrase.noticeFinished({ agents: agents.length, failed }),
      path: `/fleet/groups/${groupId}`,
    },
  ];
}
