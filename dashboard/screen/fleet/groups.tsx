import { usePages } from '../../api/pages.ts';
import type { Output } from '../../api/operations.ts';
import { kinds } from '../../api/queries.ts';
import { Badge } from '../../component/badge.tsx';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Table } from '../../component/table.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { agentStatuses, agentStatusTexts, agentTones } from './agent-status.tsx';
import { Cost, Tokens } from './use.tsx';

const texts = defineTexts({
  label: { en: 'Groups', ja: 'グループ' },
  group: { en: 'Group', ja: 'グループ' },
  agents: { en: 'Agents', ja: 'エージェント' },
  none: { en: 'none', ja: 'なし' },
  stage: { en: 'Stage', ja: '段階' },
  calls: { en: 'Calls', ja: '呼び出し' },
  tokens: { en: 'Tokens', ja: 'トークン' },
  cost: { en: 'Cost', ja: '費用' },
  made: { en: 'Created', ja: '作成' },
  deleted: { en: 'deleted', ja: '削除済み' },
  empty: { en: 'No groups yet', ja: 'グループはまだありません' },
  why: {
    en: 'A lead agent starts other agents in groups, with create_group and run_agents. From a terminal:',
    ja: 'リーダー役のエージェントが create_group と run_agents でグループごとに開始します。端末からは:',
  },
});

type Group = Output<'list_groups'>['groups'][number];

export function Groups() {
  const t = useTexts(texts);
  const states = useTexts(agentStatusTexts);
  const pages = usePages(
    'list_groups',
    { limit: 30 },
    kinds('group.', 'agent.'),
    (answer) => answer.groups,
    undefined,
    { every: (groups) => (groups.some((one) => (one.counts['running'] ?? 0) > 0) ? 2000 : false) },
  );
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  if (pages.rows.length === 0)
    return (
      <Empty title={t.empty} why={t.why} command={'sekisho fleet create-group --description "Review the change"'} />
    );
  const columns = [
    {
      id: 'group',
      title: t.group,
      cell: (group: Group) => (
        <>
          <To href={`/fleet/groups/${group.groupId}`} row>
            <Visible text={group.description} />
          </To>{' '}
          {group.status === 'deleted' && <Badge>{t.deleted}</Badge>}
        </>
      ),
    },
    {
      id: 'agents',
      title: t.agents,
      cell: (group: Group) => (
        <span className="chips">
          {agentStatuses
            .filter((status) => (group.counts[status] ?? 0) > 0)
            .map((status) => (
              <Badge key={status} tone={agentTones[status]}>
                {group.counts[status]} {states[status]}
              </Badge>
            ))}
          {group.agents === 0 && <span className="dim">{t.none}</span>}
        </span>
      ),
    },
    {
      id: 'stage',
      title: t.stage,
      cell: (group: Group) =>
        group.totalStages === null || group.currentStageIndex === null
          ? '–'
          : `${Math.min(group.currentStageIndex + 1, group.totalStages)} / ${group.totalStages}`,
    },
    { id: 'calls', title: t.calls, numeric: true, cell: (group: Group) => group.toolCallCount },
    { id: 'tokens', title: t.tokens, cell: (group: Group) => <Tokens usage={group.usage} /> },
    { id: 'cost', title: t.cost, numeric: true, cell: (group: Group) => <Cost usage={group.usage} /> },
    { id: 'made', title: t.made, cell: (group: Group) => <Time at={group.createdAt} /> },
  ];
  return (
    <>
      <Table label={t.label} columns={columns} rows={pages.rows} idOf={(group) => group.groupId} />
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}
