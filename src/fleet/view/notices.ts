import type { Context } from '../../kernel/context.ts';
import type { Notice, OpenMatter } from '../../kernel/notice.ts';
import { text } from '../../kernel/store/row.ts';
import type { Recorded } from '../../kernel/store/store.ts';
import { readAgent } from '../agent-rows.ts';
import { type Pause, pausedProblem, readPause } from '../plan/pause.ts';
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

/** Older failures are history; the fleet's own lists show them. */
const freshMs = 24 * 3600 * 1000;

/** Lists recently failed agents whose group still exists, and a pause of all starts. */
export async function openMatters(context: Context, most: number): Promise<readonly OpenMatter[]> {
  const now = context.now();
  const [rows = []] = await context.store.read([
    {
      sql: `select fleet_agent.* from fleet_agent left join fleet_group on fleet_group.id = fleet_agent.group_id
        where fleet_agent.project = :project and fleet_agent.ended_at > :since
          and (fleet_agent.outcome in ('failed', 'timedOut') or fleet_agent.report is not null)
          and (fleet_agent.group_id is null or fleet_group.status = 'active')
        order by fleet_agent.ended_at desc, fleet_agent.id limit 1000`,
      args: { project: context.project.key, since: new Date(now.getTime() - freshMs).toISOString() },
    },
  ]);
  const pause = await readPause(context);
  const failed = rows
    .flatMap((row): readonly OpenMatter[] => {
      const { agentId, role, result } = agentState(row, now);
      if (result?.status !== 'failure' && result?.status !== 'timeout') return [];
      const reason = result.errorMessage ?? result.summary;
      return [
        {
          kind: 'agent',
          subject: agentId,
          title: role,
          text: phrase.noticeFailed({ role, reason }),
          path: `/fleet/agents/${agentId}`,
          since: text(row, 'ended_at'),
        },
      ];
    })
    .slice(0, most);
  return pause === undefined ? failed : [describePause(pause), ...failed];
}

function describePause(pause: Pause): OpenMatter {
  return {
    kind: 'agent',
    subject: 'sekisho resume',
    title: 'sekisho resume',
    text: (lang) => pausedProblem(pause).in(lang),
    path: '/fleet',
    since: pause.at,
  };
}
