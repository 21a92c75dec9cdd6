import { usePages } from '../../api/pages.ts';
import { kinds } from '../../api/queries.ts';
import { useFilter } from '../../app/address.ts';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { agentStatuses, agentStatusTexts, isLive } from './agent-status.tsx';
import { AgentTable } from './agent-table.tsx';

const texts = defineTexts({
  filters: { en: 'Filters', ja: '絞り込み' },
  state: { en: 'State', ja: '状態' },
  any: { en: 'Any state', ja: 'すべての状態' },
  none: { en: 'No agents in this state', ja: 'この状態のエージェントはありません' },
  empty: { en: 'No agents yet', ja: 'エージェントはまだ開始されていません' },
  why: {
    en: 'Agents appear here when run_agents, run_sequential or a Runner starts them.',
    ja: 'run_agents、run_sequential、または Runner が開始すると、ここに表示されます。',
  },
});

/** Every agent of the project, newest first. */
export function AgentHistory() {
  const t = useTexts(texts);
  const states = useTexts(agentStatusTexts);
  const [state, setState] = useFilter('state');
  const status = agentStatuses.find((one) => one === state);
  const pages = usePages(
    'list_agents',
    { limit: 50, ...(status !== undefined && { status }) },
    kinds('agent.', 'group.'),
    (answer) => answer.agents,
    'nextCursor',
    { every: (agents) => (agents.some((one) => isLive(one.status)) ? 2000 : false) },
  );
  return (
    <>
      <search className="filters" aria-label={t.filters}>
        <select aria-label={t.state} data-filter="" value={state} onChange={(event) => setState(event.target.value)}>
          <option value="">{t.any}</option>
          {agentStatuses.map((one) => (
            <option key={one} value={one}>
              {states[one]}
            </option>
          ))}
        </select>
      </search>
      {pages.error !== null && <Failure error={pages.error} retry={pages.retry} />}
      {pages.rows === undefined && pages.error === null && <Loading />}
      {pages.rows?.length === 0 && <Empty title={status === undefined ? t.empty : t.none} why={t.why} />}
      {pages.rows !== undefined && pages.rows.length > 0 && <AgentTable agents={pages.rows} />}
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}
