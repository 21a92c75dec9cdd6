import type { Context } from '../../kernel/context.ts';
import type { OpenMatter } from '../../kernel/notice.ts';
import { text } from '../../kernel/store/row.ts';
import { type Pause, pausedProblem, readPause } from '../plan/pause.ts';
import { phrase } from '../problem.ts';
import { agentState } from './state.ts';

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
  return pause === undefined ? failed : [pausedMatter(pause), ...failed];
}

function pausedMatter(pause: Pause): OpenMatter {
  return {
    kind: 'agent',
    subject: 'sekisho resume',
    title: 'sekisho resume',
    text: (lang) => pausedProblem(pause).in(lang),
    path: '/fleet',
    since: pause.at,
  };
}
