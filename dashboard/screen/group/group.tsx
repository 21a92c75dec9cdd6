import { useState } from 'react';
import { kinds, useOperation } from '../../api/queries.ts';
import { Badge } from '../../component/badge.tsx';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Time } from '../../component/time.tsx';
import type { Lane } from '../../component/timeline/span.ts';
import { Timeline } from '../../component/timeline/timeline.tsx';
import type { ScreenProps } from '../../screens.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { CancelDialog } from '../agent/cancel-dialog.tsx';
import { type Agent, agentStatusTexts, agentTones, isLive } from '../fleet/agent-status.tsx';
import { AgentTable } from '../fleet/agent-table.tsx';
import { Cost, Tokens } from '../fleet/use.tsx';

const texts = defineTexts({
  concurrent: { en: 'concurrent', ja: '並行' },
  sequential: { en: 'sequential', ja: '順次' },
  gone: { en: 'Group not found', ja: 'グループが見つかりません' },
  goneWhy: { en: 'The ID may belong to another project.', ja: '別のプロジェクトの ID かもしれません。' },
  cancel: { en: 'Cancel all', ja: 'すべて中止' },
  when: { en: 'Over time', ja: '時間の流れ' },
  label: {
    en: 'When each agent of the group ran. The table below has the same content.',
    ja: 'グループの各エージェントが動いていた時間です。下の表に同じ内容があります。',
  },
  notYet: { en: 'No agent of this group has started yet.', ja: 'まだ開始したエージェントはありません。' },
  agents: { en: 'Agents', ja: 'エージェント' },
  noAgents: {
    en: 'This group has no agents yet. run_agents and run_sequential start agents in it.',
    ja: 'エージェントはいません。run_agents または run_sequential で開始します。',
  },
  total: { en: 'Total', ja: '合計' },
  tokens: { en: 'Tokens', ja: 'トークン' },
  cost: { en: 'Cost', ja: '費用' },
  calls: { en: 'Calls', ja: '呼び出し' },
  stage: { en: (at: number, all: number) => `stage ${at} of ${all}`, ja: (at, all) => `${all} 段階中 ${at} 段階目` },
  deleted: { en: 'deleted', ja: '削除済み' },
  more: { en: 'Only the newest 500 are shown.', ja: '新しい 500 件だけを表示しています。' },
});

/** One group: its agents over time, and their usage. */
export default function GroupScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const states = useTexts(agentStatusTexts);
  const id = params['id'] ?? '';
  const [cancels, setCancels] = useState(false);
  const groups = useOperation('list_groups', { groupId: id }, kinds('group.', 'agent.'), {
    every: ({ groups: [one] }) => (one?.endedAt === null && one.agents > 0 ? 2000 : false),
  });
  const list = useOperation('list_agents', { groupId: id, limit: 500 }, kinds('group.', 'agent.'), {
    every: ({ agents }) => (agents.some((one) => isLive(one.status)) ? 2000 : false),
  });
  const error = groups.error ?? list.error;
  if (error !== null) return <Failure error={error} retry={() => void groups.refetch()} />;
  if (groups.data === undefined || list.data === undefined) return <Loading />;
  const [group] = groups.data.groups;
  if (group === undefined) return <Gone title={t.gone} why={t.goneWhy} />;
  const agents = list.data.agents.toReversed();
  const live = agents.filter((one) => isLive(one.status));
  const lanes = agents.flatMap((one) => laneOf(one, states));
  const { currentStageIndex: at, totalStages: all } = group;
  return (
    <div className="run">
      <Head
        title={group.description}
        about={
          <span className="meta">
            {group.mode !== null && <Badge>{group.mode === 'sequential' ? t.sequential : t.concurrent}</Badge>}
            {group.status === 'deleted' && <Badge>{t.deleted}</Badge>}
            {at !== null && all !== null && <span>{t.stage(Math.min(at + 1, all), all)}</span>}
            <ShortId id={group.groupId} length={16} />
            <Time at={group.createdAt} />
          </span>
        }
      >
        {live.length > 0 && (
          <button type="button" onClick={() => setCancels(true)}>
            {t.cancel}
          </button>
        )}
      </Head>
      <Panel title={t.total}>
        <dl className="facts across">
          <div>
            <dt>{t.tokens}</dt>
            <dd>
              <Tokens usage={group.usage} />
            </dd>
          </div>
          <div>
            <dt>{t.cost}</dt>
            <dd>
              <Cost usage={group.usage} />
            </dd>
          </div>
          <div>
            <dt>{t.calls}</dt>
            <dd>{group.toolCallCount}</dd>
          </div>
        </dl>
      </Panel>
      <Panel title={t.when}>
        {lanes.length === 0 ? <p className="dim">{t.notYet}</p> : <Timeline label={t.label} lanes={lanes} />}
      </Panel>
      <Panel title={t.agents}>
        {agents.length === 0 ? <p className="dim">{t.noAgents}</p> : <AgentTable agents={agents} />}
        {list.data.nextCursor !== undefined && <p className="dim">{t.more}</p>}
      </Panel>
      {cancels && <CancelDialog agentIds={live.map((one) => one.agentId)} onClose={() => setCancels(false)} />}
    </div>
  );
}

function Gone({ title, why }: { readonly title: string; readonly why: string }) {
  return (
    <>
      <Head title={title} />
      <Empty title={title} why={why} />
    </>
  );
}

function laneOf(agent: Agent, states: Readonly<Record<Agent['status'], string>>): Lane[] {
  if (agent.startedAt === null) return [];
  const { agentId, role, status, startedAt, endedAt } = agent;
  return [
    {
      id: agentId,
      title: `${role} ${agentId.slice(-4)}`,
      bars: [
        {
          text: states[status],
          tone: agentTones[status],
          from: Date.parse(startedAt),
          to: endedAt === null ? null : Date.parse(endedAt),
        },
      ],
    },
  ];
}
